import { mkdir, readFile, realpath, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Lock, replaceFile } from '@tenon/sdk/auth'
import { isObject } from '../read-params.ts'

const version = 1
const maxLength = 4 * 1024 * 1024

/** An entry as it stands in the file, with members that only others know. */
export type RawEntry = { [member: string]: unknown }

interface Content {
  [member: string]: unknown
  servers: unknown[]
}

/** The list is there and cannot be used. It is left as it is. */
export class BrokenList extends Error {}

/** The file of the list. Every change applies to its current content, under a lock that all workbenches share. */
export class KeptFile {
  readonly path: string
  readonly #lock: Lock

  constructor(folder: string, lock: Lock) {
    this.path = join(folder, 'servers.json')
    this.#lock = lock
  }

  async read(): Promise<unknown[]> {
    return (await this.#content()).servers
  }

  /** Changes the entries; those that are not understood are handed on as they are. */
  change(edit: (entries: unknown[]) => unknown[]): Promise<void> {
    return this.#lock.hold('servers.json', async () => {
      const content = await this.#content()
      const servers = edit(content.servers)
      if (servers !== content.servers) await this.#write({ ...content, servers })
    })
  }

  /** Renames a file that cannot be read, so that a new one can be begun. */
  setAside(): Promise<string> {
    return this.#lock.hold('servers.json', async () => {
      const aside = this.path.replace(/\.json$/, `.${new Date().toISOString().replaceAll(':', '-')}.json`)
      await rename(this.path, aside)
      return aside
    })
  }

  async #content(): Promise<Content> {
    let text: string
    try {
      text = await readFile(this.path, 'utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { version, servers: [] }
      throw error
    }
    return parse(text)
  }

  /** In one step: a reader sees the old list or the new one. A link to a file elsewhere stays a link. */
  async #write(content: Content): Promise<void> {
    const target = await realpath(this.path).catch(() => this.path)
    await mkdir(dirname(target), { recursive: true, mode: 0o700 })
    await replaceFile(target, `${JSON.stringify(content, null, 2)}\n`)
  }
}

function parse(text: string): Content {
  if (text.length > maxLength) throw new BrokenList(`it has more than ${maxLength} characters`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new BrokenList(`it is no JSON: ${(error as Error).message}`)
  }
  if (!isObject(value)) throw new BrokenList('expected an object')
  if (value.version !== version) {
    throw new BrokenList(
      `version: expected ${version}, got ${JSON.stringify(value.version)?.slice(0, 50) ?? 'nothing'}`,
    )
  }
  const { servers } = value
  if (!Array.isArray(servers)) throw new BrokenList('servers: expected an array')
  return { ...value, servers }
}
