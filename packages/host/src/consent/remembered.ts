import { createHash } from 'node:crypto'
import { canonicalJson } from '../trust/canonical-json.ts'
import type { ConsentItem } from './types.ts'

/** Answers that last longer than the host; a file, or nothing. */
export interface ConsentStore {
  has(key: string): boolean
  add(key: string): Promise<void>
}

/** Answers for the session and for ever. */
export class RememberedConsents {
  readonly #session = new Set<string>()
  readonly #store: ConsentStore | undefined

  constructor(store: ConsentStore | undefined) {
    this.#store = store
  }

  has(item: ConsentItem, rule: string): boolean {
    if (this.#session.size === 0 && this.#store === undefined) return false
    const key = keyOf(item, rule)
    return this.#session.has(key) || this.#store?.has(key) === true
  }

  async add(item: ConsentItem, rule: string, forEver: boolean): Promise<void> {
    const key = keyOf(item, rule)
    this.#session.add(key)
    if (forEver) await this.#store?.add(key)
  }
}

const keys = new WeakMap<object, Map<string, string>>()

/** An answer holds for one definition and one rule: a changed tool, or arguments that another rule is about, ask again. */
function keyOf(item: ConsentItem, rule: string): string {
  const { tool } = item
  const known = tool === undefined ? undefined : keys.get(tool)?.get(rule)
  if (known !== undefined) return known
  const { kind, server, name, origin } = item
  const key = createHash('sha256')
    .update(canonicalJson([kind, server, origin ?? null, name, tool ?? null, rule]))
    .digest('hex')
  if (tool !== undefined) keys.set(tool, (keys.get(tool) ?? new Map<string, string>()).set(rule, key))
  return key
}
