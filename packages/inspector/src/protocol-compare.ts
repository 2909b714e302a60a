import type { Operation } from './protocol.ts'

/** The server and revision of one of two calls. */
export interface CompareSide {
  server: string
  /** Spoken instead of the revision of the connection. */
  revision?: string
}

export interface CompareCommands {
  /** Makes the same call twice, each on a connection of its own. Their progress is published as that of any call. */
  'compare.start': {
    params: { operation: Operation; sides: [CompareSide, CompareSide] }
    result: { calls: [string, string] }
  }
}
