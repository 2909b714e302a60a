import type { ErrorReport } from '../options.ts'
import { ErrorPrinter } from './print-error.ts'

/** Tells the operator of a server about errors that its peers do not see. */
export class ErrorReports {
  readonly #server: string
  readonly #onError: ((error: unknown, report: ErrorReport) => void) | undefined
  #printer: ErrorPrinter | undefined

  constructor(server: string, onError?: (error: unknown, report: ErrorReport) => void) {
    this.#server = server
    this.#onError = onError
  }

  /** A fault on this side; returns the id that the peer gets instead. */
  fault(error: unknown, during: string): string {
    const report = { id: newId(), during }
    if (this.#onError === undefined) this.#print(error, report)
    else this.#tell(error, report)
    return report.id
  }

  /** A fault of the peer is not printed: it was told, and could crowd out the others. */
  faultOfPeer(error: unknown, during: string): void {
    this.#tell(error, { id: newId(), during })
  }

  #tell(error: unknown, report: ErrorReport): void {
    try {
      this.#onError?.(error, report)
    } catch {
      // An operator's broken error handler must not take the connection down.
    }
  }

  #print(error: unknown, report: ErrorReport): void {
    this.#printer ??= new ErrorPrinter(this.#server)
    this.#printer.print(error, report)
  }
}

const newId = (): string => crypto.randomUUID().slice(0, 8)
