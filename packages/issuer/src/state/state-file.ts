import { removeDeadDrafts, replaceFile } from '@tenon/sdk/auth'
import { McpError } from '@tenon/sdk/auth/server'
import { isJsonObject } from '../http/json.ts'
import type { SavedState } from './records.ts'

/** Elsewhere than on Node and its like there is none. */
const { getBuiltinModule } = (globalThis as { process?: Partial<NodeJS.Process> }).process ?? {}

/** One file for one process, readable to its user only (0600). It is replaced whole and durably. */
export class StateFile {
  readonly #path: string
  readonly #fs: typeof import('node:fs/promises')
  #writing: Promise<void> | undefined
  #next: Promise<void> | undefined

  constructor(path: string) {
    const fs = getBuiltinModule?.('node:fs/promises')
    if (fs === undefined) throw new McpError('unsupported', 'file: there are no files here')
    this.#path = path
    this.#fs = fs
  }

  async load(): Promise<SavedState | undefined> {
    // Drafts have keys in them too.
    await removeDeadDrafts(getBuiltinModule!('node:path').dirname(this.#path))
    let text: string
    try {
      text = await this.#fs.readFile(this.#path, 'utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw error
    }
    return parse(text, this.#path)
  }

  /** Calls during a write share the next one, which has all their changes. */
  save(content: () => string): Promise<void> {
    if (this.#writing === undefined) return this.#start(content)
    this.#next ??= this.#writing
      .catch(() => {})
      .then(() => {
        this.#next = undefined
        return this.#start(content)
      })
    return this.#next
  }

  #start(content: () => string): Promise<void> {
    const writing = replaceFile(this.#path, content()).finally(() => {
      if (this.#writing === writing) this.#writing = undefined
    })
    this.#writing = writing
    return writing
  }
}

function parse(text: string, path: string): SavedState {
  try {
    const value: unknown = JSON.parse(text)
    const lists = isJsonObject(value) ? [value.keys, value.clients, value.grants, value.revoked] : []
    if (isJsonObject(value) && value.version === 1 && lists.every(Array.isArray)) return value as unknown as SavedState
  } catch {}
  // Its content could be a key.
  throw new McpError('invalid_argument', `${path} is not the file of an issuer`)
}
