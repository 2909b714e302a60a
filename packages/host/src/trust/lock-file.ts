import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { mkdir, readFile, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { fileLock, replaceFile } from '@tenon/sdk/auth'
import { HostError, messageOf } from '../host-error.ts'
import type { EntryIdentity } from '../servers/resolve-target.ts'
import { canonicalJson } from './canonical-json.ts'
import type { Pin } from './definitions.ts'

/** The approved state of one server. */
export interface ServerPin {
  /** The entry with secrets masked, for people. */
  entry?: EntryIdentity
  /** The hash of the entry, arguments included; `salt` keeps short secrets in them from being guessed. */
  entryHash?: string
  salt: string
  definitions: { [key: string]: Pin }
}

interface StoredPin extends ServerPin {
  /** Made with a key of the user: a file that came with a project approves nothing. */
  seal: string
}

interface LockContent {
  version: 1
  servers: { [name: string]: StoredPin }
}

const maxFileBytes = 64 * 1024 * 1024
const keyFile = 'trust.key'
const keyBytes = 32

/** `tenon.lock`: the approved servers and definitions. Written as a whole, by one process at a time. */
export class LockFile {
  readonly #file: string
  readonly #folder: string
  #key: Promise<Buffer> | undefined

  /** `folder` has the key of the user, and the locks between processes. */
  constructor(file: string, folder: string) {
    this.#file = resolve(file)
    this.#folder = folder
  }

  /** The pins that this user approved, of this file at this place. Those of others, and damaged ones, are left out. */
  async read(): Promise<Map<string, ServerPin>> {
    const { servers } = await this.#content()
    const key = await this.#userKey()
    const pins = Object.entries(servers).filter(([name, pin]) => isSealed(pin, this.#seal(key, name, pin)))
    return new Map(pins.map(([name, { seal: _, ...pin }]) => [name, pin]))
  }

  /** Replaces the pin of one server; those that other processes wrote meanwhile stay. */
  async write(name: string, pin: ServerPin): Promise<void> {
    const key = await this.#userKey()
    await this.#locked(async () => {
      const { servers } = await this.#content()
      const seal = this.#seal(key, name, pin)
      const all = { ...servers, [name]: { ...pin, seal } }
      const sorted = Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1)))
      await mkdir(dirname(this.#file), { recursive: true })
      await replaceFile(this.#file, `${JSON.stringify({ version: 1, servers: sorted }, null, 2)}\n`)
    })
  }

  async #content(): Promise<LockContent> {
    const text = await textOf(this.#file)
    if (text === undefined) return { version: 1, servers: {} }
    try {
      return asContent(JSON.parse(text))
    } catch (error) {
      throw new HostError('invalid_argument', `lock: ${this.#file} cannot be used: ${messageOf(error)}`, {
        cause: error,
      })
    }
  }

  /**
   * The place is part of it, so that a copy in another project approves nothing; and so is all that people are shown, so
   * that nobody can make a change look smaller than it is.
   */
  #seal(key: Buffer, name: string, { entry, entryHash, salt, definitions }: ServerPin): string {
    const content = canonicalJson([this.#file, name, { entry, entryHash, salt, definitions }])
    return createHmac('sha256', key).update(content).digest('hex')
  }

  #userKey(): Promise<Buffer> {
    this.#key ??= this.#locked(async () => {
      const file = join(this.#folder, keyFile)
      const known = await textOf(file)
      if (known !== undefined) return readKey(known, file)
      const made = randomBytes(keyBytes)
      await replaceFile(file, made.toString('hex'))
      return made
    }, keyFile)
    return this.#key
  }

  async #locked<T>(work: () => Promise<T>, key = this.#file): Promise<T> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    return fileLock(join(this.#folder, 'locks')).hold(key, work)
  }
}

/** A key that is too short, or empty, would let others seal what nobody approved. */
function readKey(text: string, file: string): Buffer {
  const key = Buffer.from(text.trim(), 'hex')
  if (key.length === keyBytes && key.toString('hex') === text.trim()) return key
  const expected = `a key of ${keyBytes} bytes in hexadecimal digits, got ${text.length} characters`
  throw new HostError('invalid_argument', `${file}: expected ${expected}. Without the file a new key is made`)
}

function isSealed({ seal }: StoredPin, expected: string): boolean {
  const [found, wanted] = [Buffer.from(seal), Buffer.from(expected)]
  return found.length === wanted.length && timingSafeEqual(found, wanted)
}

async function textOf(file: string): Promise<string | undefined> {
  try {
    const { size } = await stat(file)
    if (size > maxFileBytes) throw new HostError('invalid_argument', `${file}: larger than ${maxFileBytes} bytes`)
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

const isObject = (value: unknown): value is { [member: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function asContent(value: unknown): LockContent {
  if (!isObject(value) || value.version !== 1) throw new Error('expected version 1')
  const { servers } = value
  if (!isObject(servers)) throw new Error('servers: expected an object')
  const isPin = (pin: unknown): pin is StoredPin =>
    isObject(pin) &&
    typeof pin.seal === 'string' &&
    typeof pin.salt === 'string' &&
    isObject(pin.definitions) &&
    Object.values(pin.definitions).every((of) => isObject(of) && typeof of.hash === 'string')
  const wrong = Object.entries(servers).find(([, pin]) => !isPin(pin))
  if (wrong !== undefined) throw new Error(`servers.${wrong[0]}: expected salt, definitions with hashes, and seal`)
  return { version: 1, servers: servers as LockContent['servers'] }
}
