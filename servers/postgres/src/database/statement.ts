import type { Wire } from './wire.ts'

export interface Column {
  readonly name: string
  readonly typeId: number
}

export type Row = readonly (string | null)[]

export interface StatementOptions {
  readonly text: string
  /** Makes the text of each parameter, when the server has told the types. */
  parameters(typeIds: readonly number[]): readonly (string | null)[]
  /** Rows to pass over. */
  readonly offset: number
  readonly maxRows: number
  readonly maxBytes: number
  /** Refuses a statement that returns no rows before it runs: `COMMIT`, `DO`, `COPY`, `SET` and their like. */
  readonly mustReturnRows: boolean
  /** Runs to the end although no more rows are kept, so that the tag is known. */
  readonly isDrained?: boolean
  /** Called between fetches, with the number of rows so far. */
  readonly onRows?: (count: number) => void
}

/** The rows of one page. */
export interface StatementResult {
  readonly columns: readonly Column[]
  readonly rows: readonly Row[]
  readonly hasMore: boolean
  /** The tag of the server, such as `UPDATE 3`. It is missing if rows were left. */
  readonly tag: string | undefined
}

export class NotAQuery extends Error {
  override readonly name = 'NotAQuery'
}

/** A statement that wants to copy data from or to the client. */
export class CopyRefused extends Error {
  override readonly name = 'CopyRefused'
}

const firstFetch = 200
const maxFetch = 20_000

/**
 * One statement by the extended protocol, which takes no second one. Rows are fetched in steps through a portal, so those
 * that are not wanted are never made. `pg` calls the `handle…` methods.
 */
export class Statement {
  readonly done: Promise<StatementResult>
  readonly #options: StatementOptions
  readonly #rows: Row[] = []
  #columns: Column[] = []
  #typeIds: readonly number[] = []
  #seen = 0
  #received = 0
  #isSuspended = false
  #bytes = 0
  #isFull = false
  #tag: string | undefined
  #failure: Error | undefined
  #wire: Wire | undefined
  #settle!: { resolve(result: StatementResult): void; reject(error: Error): void }

  constructor(options: StatementOptions) {
    this.#options = options
    this.done = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject }
    })
    // A failure is told to whoever waits; between the two nobody may be waiting yet.
    this.done.catch(() => {})
  }

  submit(connection: unknown): void {
    const wire = connection as Wire
    this.#wire = wire
    wire.on('parameterDescription', this.#onParameters)
    wire.on('noData', this.#onNoData)
    wire.on('copyOutResponse', this.#onCopyOut)
    wire.parse({ text: this.#options.text })
    wire.describe({ type: 'S' })
    wire.flush()
  }

  readonly #onParameters = ({ dataTypeIDs }: { dataTypeIDs: number[] }): void => {
    this.#typeIds = dataTypeIDs
  }

  readonly #onNoData = (): void => {
    if (this.#options.mustReturnRows) this.#fail(new NotAQuery('the statement returns no rows'))
    else this.#begin()
  }

  readonly #onCopyOut = (): void => {
    this.#wire!.stream.destroy(new CopyRefused('COPY'))
  }

  handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }): void {
    // COPY and EXECUTE describe rows once more when they run.
    if (this.#columns.length > 0) return
    this.#columns = fields.map(({ name, dataTypeID }) => ({ name, typeId: dataTypeID }))
    this.#begin()
  }

  #begin(): void {
    try {
      this.#wire!.bind({ values: this.#options.parameters(this.#typeIds) })
    } catch (error) {
      this.#fail(error as Error)
      return
    }
    this.#fetch(firstFetch)
  }

  #fetch(count: number): void {
    const { offset, maxRows } = this.#options
    // One row more than wanted tells whether there is a next page.
    const wanted = offset + maxRows + 1 - this.#seen
    this.#execute(Math.max(1, Math.min(count, wanted)))
  }

  #execute(rows: number): void {
    this.#wire!.execute({ rows })
    this.#wire!.flush()
  }

  handleDataRow({ fields, length }: { fields: Row; length: number }): void {
    const { offset, maxRows, maxBytes } = this.#options
    this.#received++
    if (this.#isFull || this.#seen++ < offset) return
    const isTooMuch = this.#rows.length >= maxRows || this.#bytes + length > maxBytes
    // The first row is always taken, so that pages go on.
    if (isTooMuch && this.#rows.length > 0) {
      this.#isFull = true
      return
    }
    this.#bytes += length
    this.#rows.push(fields)
  }

  handlePortalSuspended(): void {
    this.#isSuspended = true
    this.#options.onRows?.(this.#received)
    if (!this.#isFull) this.#fetch(this.#nextFetch())
    else if (this.#options.isDrained) this.#execute(maxFetch)
    else this.#leavePortal()
  }

  #leavePortal(): void {
    this.#wire!.close({ type: 'P' })
    this.#wire!.sync()
  }

  /** As many rows as the room that is left should hold, going by the rows so far. */
  #nextFetch(): number {
    if (this.#rows.length === 0) return maxFetch
    const average = this.#bytes / this.#rows.length
    const fitting = Math.ceil((this.#options.maxBytes - this.#bytes) / average) + 1
    return Math.max(1, Math.min(maxFetch, fitting))
  }

  handleCommandComplete({ text }: { text: string }): void {
    // The tag after several fetches counts the rows of the last one.
    this.#tag = this.#isSuspended ? text.replace(/\d+$/, String(this.#received)) : text
    this.#wire!.sync()
  }

  handleEmptyQuery(): void {
    this.#fail(new NotAQuery('the statement is empty'))
  }

  handleCopyInResponse(): void {
    this.#failure = new CopyRefused('COPY')
    this.#wire!.sendCopyFail('there is no data')
  }

  handleCopyData(): void {}

  #fail(error: Error): void {
    this.#failure ??= error
    this.#wire!.sync()
  }

  /** An error of the server, or the end of the connection. The server waits for a sync after an error. */
  handleError(error: Error): void {
    if (this.#wire?.stream.writable) this.#wire.sync()
    this.#finish()
    this.#settle.reject(this.#failure ?? error)
  }

  handleReadyForQuery(): void {
    this.#finish()
    if (this.#failure !== undefined) this.#settle.reject(this.#failure)
    else this.#settle.resolve({ columns: this.#columns, rows: this.#rows, hasMore: this.#isFull, tag: this.#tag })
  }

  #finish(): void {
    this.#wire?.off('parameterDescription', this.#onParameters)
    this.#wire?.off('noData', this.#onNoData)
    this.#wire?.off('copyOutResponse', this.#onCopyOut)
  }
}
