import { ErrorCode, isRpcError } from '../../errors.ts'
import { isObject } from '../../jsonrpc/classify.ts'

// A server that never reports completion must not make this grow without end.
const maxOpen = 1_000

/** The URL elicitations of a server that are not finished yet; notifications about others are ignored. */
export class ElicitationIds {
  readonly #open = new Set<string>()

  add(id: unknown): void {
    if (typeof id !== 'string') return
    this.#open.add(id)
    if (this.#open.size > maxOpen) this.#open.delete(this.#open.values().next().value!)
  }

  remove(id: unknown): void {
    this.#open.delete(id as string)
  }

  /** Learns the elicitations that an error asks to complete before a retry. */
  addFrom(error: unknown): void {
    if (!isRpcError(error) || error.code !== ErrorCode.UrlElicitationRequired || !isObject(error.data)) return
    const { elicitations } = error.data
    if (!Array.isArray(elicitations)) return
    for (const elicitation of elicitations) if (isObject(elicitation)) this.add(elicitation.elicitationId)
  }

  /** True the first time for an id that is known. */
  complete(id: string): boolean {
    return this.#open.delete(id)
  }
}
