import type { Operation } from './protocol.ts'

/** Where one of two calls is made. */
export interface CompareSide {
  server: string
  /** Spoken instead of what the server is connected with. */
  revision?: string
}

export interface CompareCommands {
  /** Makes the same call twice, each on a connection of its own. How they go is told as with any call. */
  'compare.start': {
    params: { operation: Operation; sides: [CompareSide, CompareSide] }
    result: { calls: [string, string] }
  }
}
