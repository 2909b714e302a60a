import type { Meta } from './meta.ts'

/** A directory or file that a server may work in. */
export interface Root {
  /** A `file://` URI. */
  uri: string
  name?: string
  _meta?: Meta
}

export interface ListRootsResult {
  roots: Root[]
  _meta?: Meta
}
