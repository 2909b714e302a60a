import { McpError } from '../../errors.ts'
import { describe, isObject } from '../../jsonrpc/classify.ts'
import type { ListRootsResult, Root } from '../../model/roots.ts'
import type { RootsSource } from '../options.ts'
import { notFound } from './answer-errors.ts'
import type { AnswerProvider } from './input-sources.ts'

/** The roots of a client, if it declares any. */
export class RootList {
  #source: RootsSource | undefined

  constructor(source: RootsSource | undefined) {
    if (typeof source !== 'function' && source !== undefined) assertRoots(source)
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
    if (typeof source !== 'function') assertRoots(source)
    this.#source = source
  }

  prepare(): AnswerProvider<ListRootsResult> {
    const source = this.#source
    if (source === undefined) throw notFound('roots/list')
    return async () => {
      const roots = typeof source === 'function' ? await source() : source
      assertRoots(roots)
      return { roots }
    }
  }
}

function assertRoots(roots: unknown): asserts roots is Root[] {
  if (!Array.isArray(roots)) throw wrong('an array of { uri }', describe(roots))
  for (const root of roots as unknown[]) {
    const uri = isObject(root) ? root.uri : undefined
    const found = uri === undefined ? describe(root) : JSON.stringify(uri)
    if (typeof uri !== 'string' || !/^file:\/\//i.test(uri) || !URL.canParse(uri)) {
      throw wrong('{ uri } with a file:// URI, such as pathToFileURL(path).href', found)
    }
    if (climbs(uri)) throw wrong('file:// URIs without ".."', found)
  }
}

/** Whether a path contains `..`: a server that cuts off a prefix would be led out of the root. */
const climbs = (uri: string): boolean =>
  uri.split(/[/\\]|%2f|%5c/i).some((segment) => segment.replaceAll(/%2e/gi, '.') === '..')

const wrong = (expected: string, found: string): McpError =>
  new McpError('invalid_argument', `roots: expected ${expected}, got ${found}`)
