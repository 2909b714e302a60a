import type { TrafficEvent } from '@tenon/sdk/client'

const methods = new Set(['tools/call', 'tasks/result', 'tasks/get'])

/** The newest result of a tool, in the words of the server. */
export class LastResult {
  value: unknown
  #id: unknown

  /** Takes every message of a connection. */
  readonly take = ({ from, payload }: TrafficEvent): void => {
    const { id, method, result } = (payload ?? {}) as { id?: unknown; method?: string; result?: unknown }
    if (from === 'client' && method !== undefined && methods.has(method)) this.#id = id
    else if (from === 'server' && method === undefined && id === this.#id && result !== undefined) this.value = result
  }
}
