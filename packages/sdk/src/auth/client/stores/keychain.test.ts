/** Tokens in a file whose key is in the keychain of the system: real programs, started as users have them. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { requires } from '../../../../../../scripts/requires.ts'
import { dpapiKeychain } from './keychain/dpapi.ts'
import { type Keychain, systemKeychain } from './keychain/keychain.ts'
import { securityKeychain } from './keychain/security.ts'
import { encryptedStore, keychainStore } from './keychain-store.ts'

let folder: string
const path = process.env.PATH!

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tenon-keychain-'))
})
afterEach(() => {
  process.env.PATH = path
  rmSync(folder, { recursive: true, force: true })
})

/** A program that runs `body` with `args`, `input` and `kept` (a file), and records its calls. */
function program(name: string, body: string): string {
  const file = join(folder, name)
  const script = `#!${process.execPath}
    const fs = require('node:fs')
    const args = process.argv.slice(2)
    const input = fs.readFileSync(0, 'utf8')
    const kept = ${JSON.stringify(join(folder, 'kept'))}
    fs.appendFileSync(${JSON.stringify(join(folder, 'calls'))}, JSON.stringify({ args, input }) + '\\n')
    ${body}`
  writeFileSync(file, script, { mode: 0o755 })
  return file
}

const calls = (): { args: string[]; input: string }[] =>
  readFileSync(join(folder, 'calls'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

const secretTool = (): string =>
  program(
    'secret-tool',
    `if (args[0] === 'store') fs.writeFileSync(kept, input)
     else if (fs.existsSync(kept)) process.stdout.write(fs.readFileSync(kept))
     else process.exit(1)`,
  )

const security = (): string =>
  program(
    'security',
    `if (args[0] === '-i') fs.writeFileSync(kept, / -w "(.*)"\\n$/.exec(input)[1])
     else if (fs.existsSync(kept)) console.log(fs.readFileSync(kept, 'utf8'))
     else process.exit(44)`,
  )

const powershell = (): string =>
  program(
    'powershell',
    `const turned = Buffer.from(input, 'base64').map((byte) => byte ^ 0xff)
     console.log(Buffer.from(turned).toString('base64'))`,
  )

const systems: [string, () => Keychain][] = [
  [
    'Linux',
    () => {
      secretTool()
      process.env.PATH = folder + delimiter + path
      return systemKeychain('my-app', join(folder, 'tokens.json'), 'linux')
    },
  ],
  ['macOS', () => securityKeychain('my-app', security())],
  ['Windows', () => dpapiKeychain(join(folder, 'tokens.json.key'), powershell())],
]

describe.each(systems)('the keychain of %s', requires('posix'), (_name, open) => {
  test('keeps a key, and the file has nothing to read [auth.sec.token-storage]', async () => {
    const file = join(folder, 'tokens.json')
    const keychain = open()
    const store = encryptedStore(file, keychain)
    expect(await store.get('tokens a')).toBeUndefined()
    const value = JSON.stringify({ accessToken: `secret-${'x'.repeat(10_000)}` })
    await store.set('tokens a', value)
    expect(await store.get('tokens a')).toBe(value)
    // Another process, later.
    expect(await encryptedStore(file, keychain).get('tokens a')).toBe(value)
    expect(readFileSync(file, 'utf8')).not.toContain('secret')
    await store.delete('tokens a')
    expect(await store.get('tokens a')).toBeUndefined()
  })

  test('gets its secret by standard input, never as an argument', async () => {
    const keychain = open()
    const secret = Buffer.alloc(32, 7).toString('base64')
    await keychain.set(secret)
    expect(await keychain.get()).toBe(secret)
    expect(JSON.stringify(calls().map(({ args }) => args))).not.toContain(secret)
    expect(calls().some(({ input }) => input.includes(secret))).toBe(true)
  })
})

describe('what can go wrong', requires('posix'), () => {
  const linux = (): Keychain => systemKeychain('my-app', join(folder, 'tokens.json'), 'linux')

  test('a program that is not there is an error that says what to install', async () => {
    process.env.PATH = folder
    const problem = { code: 'unsupported', message: expect.stringMatching(/secret-tool.*install libsecret-tools/) }
    await expect(linux().get()).rejects.toMatchObject(problem)
    await expect(Promise.resolve(keychainStore(join(folder, 't.json')).set('a', 'b'))).rejects.toMatchObject(
      process.platform === 'linux' ? problem : {},
    )
  })

  test('a keyring that is locked is an error with what the program said, and no new key is made', async () => {
    program('secret-tool', `console.error('Cannot create an item in a locked collection'); process.exit(1)`)
    process.env.PATH = folder + delimiter + path
    const store = encryptedStore(join(folder, 'tokens.json'), linux())
    const problem = { code: 'unsupported', message: /ended with 1: Cannot create an item in a locked collection/ }
    await expect(Promise.resolve(store.set('a', 'b'))).rejects.toMatchObject(problem)
    expect(calls().map(({ args }) => args[0])).toEqual(['lookup'])
    expect(existsSync(join(folder, 'tokens.json'))).toBe(false)
  })

  test('an entry that is something else is not taken for a key', async () => {
    program('secret-tool', `console.log('hunter2')`)
    process.env.PATH = folder + delimiter + path
    const error = await encryptedStore(join(folder, 'tokens.json'), linux())
      .set('a', 'b')
      ?.catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'invalid_argument' })
    expect(String(error)).not.toContain('hunter2')
  })

  test('what was written with another key, or moved to another name, is not there', async () => {
    const file = join(folder, 'tokens.json')
    const key = (fill: number): Keychain => ({
      get: async () => Buffer.alloc(32, fill).toString('base64'),
      set: async () => {},
    })
    await encryptedStore(file, key(1)).set('a', 'value of a')
    expect(await encryptedStore(file, key(2)).get('a')).toBeUndefined()
    const { a } = JSON.parse(readFileSync(file, 'utf8'))
    writeFileSync(file, JSON.stringify({ b: a, c: 'nonsense' }))
    expect(await encryptedStore(file, key(1)).get('b')).toBeUndefined()
    expect(await encryptedStore(file, key(1)).get('c')).toBeUndefined()
  })

  test('of many that find no key at the same time one makes it', async () => {
    let kept: string | undefined
    let made = 0
    const slow: Keychain = {
      get: async () => {
        const seen = kept
        await new Promise((resolve) => setImmediate(resolve))
        return seen
      },
      set: async (secret) => {
        made += 1
        kept = secret
      },
    }
    const file = join(folder, 'tokens.json')
    const stores = Array.from({ length: 5 }, () => encryptedStore(file, slow))
    await Promise.all(stores.map((store, index) => store.set(`k${index}`, `v${index}`)))
    expect(made).toBe(1)
    expect(await Promise.all(stores.map((_, index) => stores[0]!.get(`k${index}`)))).toEqual([
      'v0',
      'v1',
      'v2',
      'v3',
      'v4',
    ])
  })

  test.each(['a b', 'a" -w "x', 'a\nb', ''])('%j is no name for an entry', (service) => {
    expect(() => keychainStore(join(folder, 't.json'), { service })).toThrow(/service: expected/)
  })
})

test('a real keyring keeps it, for the next process too', requires('linux', 'keyring'), async () => {
  const script = join(fileURLToPath(new URL('../../../../', import.meta.url)), `.test-keychain-${process.pid}.mjs`)
  try {
    await build({
      stdin: {
        contents: `import { keychainStore } from './keychain-store.ts'
          const [file, value] = process.argv.slice(2)
          const store = keychainStore(file, { service: 'tenon-test' })
          if (value) await store.set('tokens', value)
          console.log(await store.get('tokens'))`,
        resolveDir: fileURLToPath(new URL('.', import.meta.url)),
        loader: 'ts',
      },
      outfile: script,
      bundle: true,
      format: 'esm',
      platform: 'node',
      packages: 'external',
    })
    const file = join(folder, 'tokens.json')
    const node = JSON.stringify(process.execPath)
    const steps = `printf password | gnome-keyring-daemon --unlock --components=secrets >/dev/null
      ${node} ${script} ${file} secret-value && ${node} ${script} ${file}; secret-tool lookup service tenon-test account tenon`
    const { stdout, stderr } = spawnSync('dbus-run-session', ['--', 'sh', '-c', steps], {
      encoding: 'utf8',
      timeout: 100_000,
      env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_RUNTIME_DIR: folder },
    })
    const [first, second, key] = stdout.split('\n')
    expect([first, second], stderr).toEqual(['secret-value', 'secret-value'])
    expect(key).toMatch(/^[\w+/]{43}=$/)
    expect(readFileSync(file, 'utf8')).not.toContain('secret-value')
  } finally {
    rmSync(script, { force: true })
  }
})
