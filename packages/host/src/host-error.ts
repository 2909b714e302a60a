/**
 * The reason of a failure of the host.
 *
 * - `not_found`: no server, tool, resource or prompt of this name
 * - `denied`: a rule or a person said no
 * - `untrusted`: a server or a definition that nobody approved
 * - `unavailable`: the server does not run and could not be started
 * - `invalid_argument`: an option, a configuration or an answer of `ask` that cannot be used
 * - `closed`: the host or the server was closed
 */
export type HostErrorCode = 'not_found' | 'denied' | 'untrusted' | 'unavailable' | 'invalid_argument' | 'closed'

/** A failure of the host itself; those of servers stay `McpError` and `RpcError`. */
export class HostError extends Error {
  readonly code: HostErrorCode

  constructor(code: HostErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'HostError'
    this.code = code
  }
}

// By name, not by class: two copies of the library in one process recognise each other's errors.
export const isHostError = (value: unknown): value is HostError => value instanceof Error && value.name === 'HostError'

/** The words of anything that was thrown. */
export const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown))
