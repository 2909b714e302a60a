import { McpError } from '../errors.ts'
import type { ListRootsResult, Root } from '../model/roots.ts'
import { notFound } from './input-request.ts'
import type { RootsSource } from './options.ts'

/** The roots of a client, if it has any to offer. */
export class RootList {
  #source: RootsSource | undefined

  constructor(source: RootsSource | undefined) {
    if (Array.isArray(source)) assertRoots(source)
    this.#source = source
  }

  get offered(): boolean {
    return this.#source !== undefined
  }

  replace(source: RootsSource): void {
    if (!this.offered) {
      throw new McpError(
        'unsupported',
        'Roots were not declared: give `roots` to connect, an empty array if there are none yet',
      )
    }
    if (Array.isArray(source)) assertRoots(source)
    this.#source = source
  }

  async answer(): Promise<ListRootsResult> {
    if (this.#source === undefined) throw notFound('roots/list')
    const roots = typeof this.#source === 'function' ? await this.#source() : this.#source
    assertRoots(roots)
    return { roots }
  }
}

function assertRoots(roots: Root[]): void {
  const wrong = roots.find(({ uri }) => typeof uri !== 'string' || !uri.startsWith('file://'))
  if (wrong !== undefined) {
    throw new McpError('invalid_argument', `roots: expected file:// URIs, got ${JSON.stringify(wrong.uri)}`)
  }
}
