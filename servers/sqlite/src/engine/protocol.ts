/** Messages between the server and the process of the engine. */

/** A value in a result. Integers that a double cannot hold, and infinities, are texts. */
export type Cell = null | number | string | { base64: string }

/** A value for a parameter of a statement. */
export type Parameter = null | boolean | number | string | { base64: string }
export type Parameters = readonly Parameter[] | { readonly [name: string]: Parameter }

export interface PageLimits {
  readonly limit: number
  readonly maxBytes: number
}

/** A value that was too long for an answer. */
export interface CutCell {
  readonly row: number
  readonly column: string
  /** Characters of a text, bytes of a blob. */
  readonly length: number
}

export interface Page {
  readonly columns: string[]
  readonly rows: Cell[][]
  readonly cut: CutCell[]
  /** There are more rows, from this one on. */
  readonly nextOffset?: number
}

export type Format = 'csv' | 'json' | 'jsonl'

/** A file, and the real folders in which it has to lie. */
export interface AllowedFile {
  readonly path: string
  readonly folders: readonly string[]
  readonly maxBytes: number
}

interface Query {
  readonly sql: string
  readonly parameters?: Parameters | undefined
}

export interface Calls {
  read: { call: Query & PageLimits & { offset: number }; result: Page }
  explain: { call: Query & PageLimits & { bytecode: boolean }; result: Page }
  write: {
    call: Query & PageLimits & { may: 'change' | 'create-table' }
    result: Page & { affectedRows: number; lastInsertRowid?: number | string }
  }
  import: {
    call: {
      table: string
      format: Format
      create: boolean
      emptyAsNull: boolean
      text?: string | undefined
      file?: AllowedFile | undefined
    }
    result: { rows: number; columns: string[]; created: boolean }
  }
  export: { call: Query & { format: Format; file: AllowedFile }; result: { rows: number; bytes: number } }
  /** Opens the database, which completes or takes back the transaction of a process that died. */
  recover: { call: object; result: object }
}

export type Kind = keyof Calls
export type Call<K extends Kind = Kind> = { [P in K]: Calls[P]['call'] & { readonly kind: P } }[K]
export type Result<K extends Kind = Kind> = Calls[K]['result']

/** How the process opens the database. */
export interface EngineOptions {
  readonly file: string
  readonly mode: 'read' | 'write'
  readonly foreignKeys: boolean
  readonly maxValueBytes: number
}

/** Bounds that the process keeps by itself, also when nobody is left to end it. */
export interface Bounds {
  readonly timeMs: number
  readonly memoryBytes: number
}

export interface ToEngine {
  readonly call: Call
  readonly bounds: Bounds
}

export type FromEngine =
  | { readonly ready: true }
  | { readonly progress: number }
  | { readonly result: unknown }
  | { readonly failure: string; readonly isRefusal: boolean }
