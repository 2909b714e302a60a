/** Secrets in the keychain where there is one, and in a file otherwise. The program of the keychain is one of the test. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { readConfigText, type ServerEntry } from '@tenon/host/config'
import { changeLogins, hasSecrets, keepInputAnswer, readInputAnswer, readLogins, secretPlace } from '@tenon/host/store'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { requires } from '../../../scripts/requires.ts'

let folder: string
const path = process.env.PATH!
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tenon-store-'))
})
afterEach(() => {
  process.env.PATH = path
  rmSync(folder, { recursive: true, force: true })
})

const read = (file: string): string => readFileSync(join(folder, file), 'utf8')

/** An environment of a desktop with a keychain that works, or one that does not. */
function desktop(works: boolean): NodeJS.ProcessEnv {
  const programs = join(folder, 'programs')
  mkdirSync(programs)
  const kept = join(programs, 'kept')
  const body = works
    ? `if (process.argv[2] === 'store') fs.writeFileSync('${kept}', fs.readFileSync(0))
       else if (fs.existsSync('${kept}')) process.stdout.write(fs.readFileSync('${kept}'))
       else process.exit(1)`
    : `console.error('locked'); process.exit(3)`
  const script = `#!${process.execPath}\nconst fs = require('node:fs')\n${body}\n`
  writeFileSync(join(programs, 'secret-tool'), script, { mode: 0o755 })
  process.env.PATH = programs + delimiter + path
  return { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere', PATH: process.env.PATH }
}

test('without a keychain a file that only the user can read has them', async () => {
  expect(hasSecrets(folder)).toBe(false)
  const place = await secretPlace(join(folder, 'new'), {})
  await place.store.set('a', 'secret')
  expect(place).toMatchObject({ where: 'file', file: join(folder, 'new/tokens.json') })
  expect(statSync(place.file).mode & 0o777).toBe(0o600)
  expect(statSync(join(folder, 'new')).mode & 0o777).toBe(0o700)
  expect(hasSecrets(join(folder, 'new'))).toBe(true)
  await place.clear()
  expect(await place.store.get('a')).toBeUndefined()
  expect(read('new/tokens.json')).toBe('{}')
})

describe('with a keychain', requires('linux'), () => {
  test('they are sealed, what was in the file moves over, and all are forgotten', async () => {
    const before = await secretPlace(folder, {})
    await before.store.set('a', 'first secret')
    await before.store.set('b', 'other secret')
    const place = await secretPlace(folder, desktop(true))
    expect(await place.store.get('a')).toBe('first secret')
    await place.store.set('a', 'second secret')
    expect(place).toMatchObject({ where: 'keychain', file: join(folder, 'tokens.sealed.json') })
    expect(read('tokens.sealed.json')).not.toContain('secret"')
    expect(read('tokens.json')).not.toContain('first secret')
    expect(await place.store.get('a')).toBe('second secret')
    await place.clear()
    expect([await place.store.get('a'), await place.store.get('b')]).toEqual([undefined, undefined])
  })

  test('that is locked the file has them, and that is said', async () => {
    const place = await secretPlace(folder, desktop(false))
    await place.store.set('a', 'secret')
    expect(place).toMatchObject({ where: 'file', file: join(folder, 'tokens.json') })
    expect(await place.store.get('a')).toBe('secret')
  })

  test('that is locked after it was used is asked again, and never has what is older', async () => {
    const env = desktop(true)
    await (await secretPlace(folder, env)).store.set('a', 'secret')
    const program = join(folder, 'programs/secret-tool')
    const works = readFileSync(program)
    writeFileSync(program, `#!${process.execPath}\nprocess.exit(3)\n`)
    const place = await secretPlace(folder, env)
    expect(await place.store.get('a')).toBeUndefined()
    expect(place.where).toBe('file')
    writeFileSync(program, works)
    expect(await place.store.get('a')).toBe('secret')

    writeFileSync(program, `#!${process.execPath}\nprocess.exit(3)\n`)
    await (await secretPlace(folder, env)).store.set('a', 'newer secret')
    writeFileSync(program, works)
    expect(await (await secretPlace(folder, env)).store.get('a')).toBe('newer secret')
  })

  test('that nobody wants the file has them', async () => {
    expect((await secretPlace(folder, { ...desktop(true), TENON_TOKENS: 'file' })).where).toBe('file')
  })
})

test('logins are changed one after the other', async () => {
  const places = await Promise.all([secretPlace(folder, {}), secretPlace(folder, {})])
  const urls = Array.from({ length: 6 }, (_, index) => `https://${index}.example/mcp`)
  await Promise.all(urls.map((url, index) => changeLogins(places[index % 2]!, (logins) => void logins.set(url, {}))))
  expect([...(await readLogins(places[0]!)).keys()].toSorted()).toEqual(urls)
})

test('the answer to an input is kept for one entry of one file, and asked for anew if it would go elsewhere', async () => {
  const place = await secretPlace(folder, {})
  const text = (command: string): string =>
    JSON.stringify({ servers: { a: { command, env: { KEY: '${input:key}' } }, b: { command } } })
  const entriesOf = async (command: string, file: string): Promise<ServerEntry[]> =>
    (await readConfigText(text(command), { host: 'vscode', file })).entries
  const [entry, neighbour] = await entriesOf('server', '/one/mcp.json')
  await keepInputAnswer(place, entry!, 'key', 'secret')
  expect(await readInputAnswer(place, entry!, 'key')).toBe('secret')
  const others = [neighbour!, (await entriesOf('other', '/one/mcp.json'))[0]!, (await entriesOf('server', '/two'))[0]!]
  for (const other of others) expect(await readInputAnswer(place, other, 'key')).toBeUndefined()
  expect(await readInputAnswer(place, entry!, 'constructor')).toBeUndefined()
  await keepInputAnswer(place, entry!, 'key', undefined)
  expect(await readInputAnswer(place, entry!, 'key')).toBeUndefined()
})
