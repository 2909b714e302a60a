import { McpError } from '../errors.ts'

/** A server refused a WebSocket with an HTTP status. `unauthorized` if it requires (other) credentials. */
export class UpgradeRefused extends McpError {
  readonly status: number
  /** A header of the response, by its lower-case name. */
  readonly header: (name: string) => string | undefined

  constructor(message: string, status: number, header: (name: string) => string | undefined) {
    super(status === 401 || status === 403 ? 'unauthorized' : 'closed', message)
    this.status = status
    this.header = header
  }
}
