import { McpError } from '@tenon/sdk/server'
import type { Address } from './address.ts'

/** The library tells of its options. */
const lost = /isn't writeable|Connection is closed|aborted due to connection/

/**
 * The error of whoever needs Redis now. Errors of the client library are never passed on, not even as a cause: they carry
 * the arguments of the command, among them the password and the texts of clients.
 */
export function unavailable({ shown, password, sentinel }: Address, reason: unknown): McpError {
  const message = reason instanceof Error ? reason.message : String(reason ?? 'it is not connected')
  const said = lost.test(message) ? 'the connection was lost' : message
  const masked = [password, sentinel.password].reduce<string>(
    (text, secret) => (secret === undefined ? text : text.replaceAll(secret, '***')),
    said,
  )
  return new McpError('unavailable', `Redis at ${shown} cannot be used at the moment: ${masked.slice(0, 300)}`)
}
