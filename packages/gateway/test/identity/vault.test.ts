import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { requires } from '../../../../scripts/requires.ts'
import { type Cluster, startCluster } from '../../../../servers/postgres/test/cluster.ts'
import { type Database, openDatabase } from '../../src/database/database.ts'
import { vaultKeyFile } from '../../src/vault/key-file.ts'
import { Keyring, newVaultKey } from '../../src/vault/keyring.ts'
import { openVault, Vault } from '../../src/vault/vault.ts'

const secret = 'a refresh token that nobody may see'
const [first, second] = [newVaultKey(), newVaultKey()]

/** The behaviour of a vault in every database. */
function vaultSuite(addressOf: () => string): void {
  let database: Database
  let vault: Vault
  let time = 1_000

  beforeAll(async () => {
    database = await openDatabase(addressOf())
    vault = await openVault({ database, keys: [first], now: () => time })
  })
  afterAll(() => database?.close())

  test('keeps values by owner and name, and gives each of them away once if they are taken', async () => {
    await vault.set('ada', 'account mail', secret)
    await vault.set('ada', 'account mail', `${secret} 2`)
    await vault.set('bob', 'account mail', 'of bob')
    expect(await vault.get('ada', 'account mail')).toBe(`${secret} 2`)
    expect(await vault.get('bob', 'account calendar')).toBeUndefined()
    expect(await vault.names('ada')).toEqual(['account mail'])
    const taken = await Promise.all(Array.from({ length: 8 }, () => vault.take('bob', 'account mail')))
    expect(taken.filter((value) => value !== undefined)).toEqual(['of bob'])
  })

  test('has nothing readable in its rows', async () => {
    await vault.set('ada', 'account mail', secret)
    expect(JSON.stringify(await database.query('SELECT * FROM tenon_vault'))).not.toContain(secret.slice(0, 12))
  })

  test('opens no row that was copied to another owner or name, or was changed', async () => {
    await vault.set('ada', 'account mail', secret)
    const copy = `INSERT INTO tenon_vault SELECT $1, $2, key, sealed, written, expires FROM tenon_vault
      WHERE owner = 'ada' AND name = 'account mail'`
    for (const [owner, name] of [
      ['mallory', 'account mail'],
      ['ada', 'account calendar'],
    ] as const) {
      await database.query(copy, [owner, name])
      const error = await vault.get(owner, name).catch((thrown: unknown) => thrown)
      expect(String(error)).toContain('does not open')
      expect(String(error)).not.toContain(secret)
      await vault.delete(owner, name)
    }
    await database.query("UPDATE tenon_vault SET sealed = 'AAAA' || substr(sealed, 5) WHERE owner = 'ada'")
    await expect(vault.get('ada', 'account mail')).rejects.toMatchObject({ code: 'unavailable' })
    await database.query("UPDATE tenon_vault SET sealed = 'x' WHERE owner = 'ada'")
    await expect(vault.take('ada', 'account mail')).rejects.toMatchObject({ code: 'unavailable' })
  })

  test('forgets values that have expired, and the oldest of too many', async () => {
    await vault.set('ada', 'flow 0', 'soon', time + 10)
    time += 10
    expect(await vault.get('ada', 'flow 0')).toBeUndefined()
    expect(await vault.take('ada', 'flow 0')).toBeUndefined()
    for (const number of [1, 2, 3, 4]) {
      time += 1
      await vault.set('ada', `flow ${number}`, 'x', time + 1_000)
    }
    await vault.set('bob', 'flow 1', 'x', time + 1_000)
    await vault.prune('ada', 'flow ', 2)
    expect(await vault.names('ada')).toEqual(['flow 3', 'flow 4'])
    expect(await vault.names('bob')).toEqual(['flow 1'])
  })

  test('changes its key while it is used, and then needs the old one no more', async () => {
    const people = Array.from({ length: 120 }, (_, number) => number)
    await Promise.all(people.map((number) => vault.set(`person ${number}`, 'account', `${secret} ${number}`)))
    const both = new Vault(database, new Keyring([second, first]), () => time)
    const [count] = await Promise.all([both.rotate(), both.set('person 7', 'account', 'new')])
    expect(count).toBeGreaterThanOrEqual(119)
    const next = new Vault(database, new Keyring([second]), () => time)
    expect(await next.get('person 119', 'account')).toBe(`${secret} 119`)
    expect(await next.get('person 7', 'account')).toBe('new')
    await expect(vault.get('person 119', 'account')).rejects.toMatchObject({ code: 'unavailable' })
    expect(await both.rotate()).toBe(0)
  })

  test('lets one holder of a name in at a time, and all of them with other names', async () => {
    let inside = 0
    let most = 0
    const work = async (): Promise<void> => {
      inside += 1
      most = Math.max(most, inside)
      // A holder uses the database meanwhile.
      await vault.set('ada', 'held', String(inside))
      inside -= 1
    }
    await Promise.all(Array.from({ length: 12 }, () => vault.hold('ada', 'held', work)))
    expect(most).toBe(1)
    let release = (): void => {}
    const both = new Promise<void>((resolve) => {
      release = resolve
    })
    await Promise.all([vault.hold('ada', 'one', () => both), vault.hold('ada', 'two', async () => release())])
    const failing = vault.hold('ada', 'one', () => Promise.reject(new Error('failed')))
    await expect(failing).rejects.toThrow('failed')
    await vault.hold('ada', 'one', async () => {})
  })
}

describe('a vault in a folder', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tenon-vault-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  vaultSuite(() => join(folder, 'vault'))
})

describe('a vault in PostgreSQL', requires('postgres'), () => {
  let cluster: Cluster
  beforeAll(async () => {
    cluster = await startCluster()
  })
  afterAll(() => cluster?.stop())

  vaultSuite(() => cluster.url('app'))

  test('is opened by several gateways at once, and tells no password if it cannot be', async () => {
    const opened = await Promise.all([1, 2, 3].map(() => openVault({ database: cluster.url('app'), keys: [second] })))
    let inside = 0
    const work = async (): Promise<number> => {
      inside += 1
      const seen = inside
      await opened[0]!.set('ada', 'x', 'y')
      inside -= 1
      return seen
    }
    expect(await Promise.all(opened.map((vault) => vault.hold('ada', 'held', work)))).toEqual([1, 1, 1])
    for (const vault of opened) await vault.close()
    const wrong = cluster.url('app').replace('app-secret', 'wrong-secret')
    const error = await openVault({ database: wrong, keys: [second] }).catch((thrown: Error) => thrown)
    expect(`${error} ${JSON.stringify(error)}`).not.toContain('wrong-secret')
  })
})

describe('keys', () => {
  test('are 32 bytes as base64 or hex, and errors do not repeat them', () => {
    const bytes = Buffer.alloc(32, 7)
    const sealed = new Keyring([bytes.toString('base64')]).seal('x', ['a'])
    expect(new Keyring([`${bytes.toString('hex')}\n`]).open(sealed, ['a'])).toBe('x')
    expect(new Keyring([bytes.toString('hex')]).open(sealed, ['a', ''])).toBeUndefined()
    expect(() => new Keyring(['too short and secret'])).toThrow(
      /^vault.key: expected 32 bytes as base64 or hex, got another text$/,
    )
    expect(() => new Keyring([])).toThrow('expected a key')
  })

  test('are made once in a file for this user, also by two processes that start at once', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tenon-vault-'))
    const made = await Promise.all([1, 2, 3].map(() => vaultKeyFile(join(folder, 'vault.key'))))
    expect(new Set(made).size).toBe(1)
    expect(() => new Keyring([made[0]!])).not.toThrow()
    await rm(folder, { recursive: true })
  })
})
