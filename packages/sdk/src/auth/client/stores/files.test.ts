/** Tokens in files, between processes. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lockChecks } from '../../../testing/stores.ts'
import { World } from '../protected-world.suite.ts'
import { fileLock } from './file-lock.ts'
import { fileStore } from './file-store.ts'

const scripts = mkdtempSync(join(fileURLToPath(new URL('../../../../', import.meta.url)), '.test-'))
const folders: string[] = [scripts]
const children = new Set<ChildProcess>()
const folder = (): string => {
  const made = mkdtempSync(join(tmpdir(), 'tenon-auth-'))
  folders.push(made)
  return made
}

describe('a lock of files', () => {
  for (const { name, run } of lockChecks(() => {
    const directory = folder()
    return [fileLock(directory), fileLock(directory)]
  }))
    test(name, run)
})

beforeAll(async () => {
  const fixture = (name: string): string => fileURLToPath(new URL(`fixtures/${name}-process.ts`, import.meta.url))
  await build({
    entryPoints: ['client', 'store', 'lock'].map(fixture),
    outdir: scripts,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    logLevel: 'error',
  })
})
afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
  for (const each of folders) rmSync(each, { recursive: true, force: true })
})

function start(name: string, ...args: string[]): ChildProcess {
  const child = spawn(process.execPath, [join(scripts, `${name}-process.mjs`), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.add(child)
  return child
}

const finished = async (child: ChildProcess): Promise<number> => ((await once(child, 'exit')) as [number])[0]

describe('five processes', () => {
  test('make one authorization, and one refresh', async () => {
    await using world = await World.start()
    const shared = folder()
    const run = async (): Promise<number[]> =>
      Promise.all(Array.from({ length: 5 }, () => finished(start('client', world.url, shared, '5'))))
    expect(await run()).toEqual([0, 0, 0, 0, 0])
    expect(world.tokenRequests).toHaveLength(1)
    world.expireAll()
    expect(await run()).toEqual([0, 0, 0, 0, 0])
    expect(world.requests('refresh_token')).toHaveLength(1)
    expect(world.authorizations).toHaveLength(1)
  })
})

describe('a store in a file', () => {
  test('is for the user alone, and leaves nothing behind [auth.sec.token-storage]', async () => {
    const file = join(folder(), 'deep', 'tokens.json')
    const store = fileStore(file)
    await store.set('a', '1')
    await store.set('__proto__', '2')
    expect(await store.get('a')).toBe('1')
    expect(await store.get('__proto__')).toBe('2')
    await store.delete('a')
    expect(await fileStore(file).get('a')).toBeUndefined()
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readdirSync(join(file, '..'))).toEqual(['tokens.json'])
  })

  test('loses nothing when several processes write', async () => {
    const file = join(folder(), 'tokens.json')
    const names = ['a', 'b', 'c']
    expect(await Promise.all(names.map((name) => finished(start('store', file, name, '20'))))).toEqual([0, 0, 0])
    expect(Object.keys(JSON.parse(readFileSync(file, 'utf8')))).toHaveLength(60)
  })

  test('does not show what is in a file that it cannot read', async () => {
    const file = join(folder(), 'tokens.json')
    writeFileSync(file, 'secret-token{')
    const error = await Promise.resolve(fileStore(file).get('a')).catch((thrown: Error) => thrown)
    expect(String(error)).toContain('is not a file of tokens')
    expect(String((error as unknown as Error).stack)).not.toContain('secret-token')
  })
})

describe('a lock', () => {
  test('lets one in at a time', async () => {
    const lock = fileLock(folder())
    let inside = 0
    let most = 0
    const work = async (): Promise<void> => {
      inside += 1
      most = Math.max(most, inside)
      await new Promise((resolve) => setImmediate(resolve))
      inside -= 1
    }
    await Promise.all(Array.from({ length: 10 }, () => lock.hold('key', work)))
    expect(most).toBe(1)
  })

  test('of a process that was killed is taken over', async () => {
    const shared = folder()
    const child = start('lock', shared)
    await once(child.stdout!, 'data')
    let taken = false
    const waiting = fileLock(shared).hold('key', async () => {
      taken = true
    })
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(taken).toBe(false)
    child.kill('SIGKILL')
    await waiting
    expect(taken).toBe(true)
  })

  test('of nobody, left by a kill where there are no links, is taken over', async () => {
    const shared = folder()
    const names = await fileLock(shared).hold('key', async () => readdirSync(shared))
    writeFileSync(join(shared, names[0]!), '')
    expect(await fileLock(shared, { staleMs: 100 }).hold('key', async () => 'taken')).toBe('taken')
    expect(readdirSync(shared)).toEqual([])
  })

  test('of a process that lives is its own, though the clock was set an hour ahead', async () => {
    const shared = folder()
    const log: string[] = []
    const waiting: Promise<void>[] = []
    await fileLock(shared).hold('key', async () => {
      const before = Date.now() / 1_000 - 3_600
      for (const name of readdirSync(shared)) utimesSync(join(shared, name), before, before)
      waiting.push(fileLock(shared).hold('key', async () => void log.push('second')))
      await new Promise((resolve) => setTimeout(resolve, 100))
      log.push('first')
    })
    await Promise.all(waiting)
    expect(log).toEqual(['first', 'second'])
  })

  test('that cannot be read is an error, and is not waited for without end', async () => {
    const shared = folder()
    const names = await fileLock(shared).hold('key', async () => readdirSync(shared))
    mkdirSync(join(shared, names[0]!))
    const holding = fileLock(shared).hold('key', async () => 'taken')
    await expect(holding).rejects.toThrow(/cannot be read \(EISDIR\).*remove it by hand/)
  })

  test('is waited for only as long as somebody wants it', async () => {
    const lock = fileLock(folder())
    const stop = new AbortController()
    await lock.hold('key', async () => {
      const second = lock.hold('key', async () => {}, stop.signal)
      stop.abort()
      await expect(second).rejects.toMatchObject({ code: 'cancelled' })
    })
  })
})
