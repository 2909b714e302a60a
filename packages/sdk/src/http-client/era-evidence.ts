import type { McpError } from '../errors.ts'
import { isHttpError } from './http-error.ts'

/** Statuses that depend on the moment or the network, and not on the revisions of the server. */
const unrelated: ReadonlySet<number> = new Set([407, 408, 425, 429])

/**
 * Whether an error of `server/discover` means that the server may be an older one. A demand for credentials, an outage
 * and a redirect are possible in any revision.
 */
export function isEraEvidence(error: McpError): boolean {
  if (error.code === 'unauthorized') return false
  if (error.code !== 'http') return true
  return (
    isHttpError(error) &&
    (error.status < 300 || (error.status >= 400 && error.status < 500)) &&
    !unrelated.has(error.status)
  )
}
