import { McpError } from '../../errors.ts'
import { removeDeadDrafts } from '../../files/drafts.ts'
import { replaceFile } from '../../files/replace-file.ts'
import { builtin } from '../../internal/builtin.ts'
import { isObject } from '../../jsonrpc/classify.ts'
import type { Kept } from './records.ts'

/** One file for one process, readable to its user only (0600). It is replaced whole and durably. */
export class StateFile {
  readonly #path: string
  readonly #fs: typeof import('node:fs/promises')
  #writing: Promise<void> | undefined
  #next: Promise<void> | undefined

  constructor(path: string) {
    const fs = builtin('node:fs/promises')
    if (fs === undefined) throw new McpError('unsupported', 'file: there are no files here')
    this.#path = path
    this.#fs = fs
  }

  async load(): Promise<Kept | undefined> {
    // Drafts have keys in them too.
    await removeDeadDrafts(builtin('node:path')!.dirname(this.#path))
    let text: string
    try {
      text = await this.#fs.readFile(this.#path, 'utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw error
    }
    return parse(text, this.#path)
  }

  /** Those who ask while something is written share the next write, which has all their changes. */
  save(content: () => Kept): Promise<void> {
    if (this.#writing === undefined) return this.#start(content)
    this.#next ??= this.#writing
      .catch(() => {})
      .then(() => {
        this.#next = undefined
        return this.#start(content)
      })
    return this.#next
  }

  #start(content: () => Kept): Promise<void> {
    const writing = replaceFile(this.#path, JSON.stringify(content())).finally(() => {
      if (this.#writing === writing) this.#writing = undefined
    })
    this.#writing = writing
    return writing
  }
}

function parse(text: string, path: string): Kept {
  try {
    const value: unknown = JSON.parse(text)
    const lists = isObject(value) ? [value.keys, value.clients, value.grants, value.revoked] : []
    if (isObject(value) && value.version === 1 && lists.every(Array.isArray)) return value as unknown as Kept
  } catch {}
  // Its content could be a key.
  throw new McpError('invalid_argument', `${path} is not the file of an issuer`)
}
