import type { McpError } from '../errors.ts'
import { isHttpError } from './http-error.ts'

/** Statuses that say something about the moment or the way, and nothing about the revisions that the server speaks. */
const unrelated: ReadonlySet<number> = new Set([407, 408, 425, 429])

/**
 * Whether an error that `server/discover` ended with tells that the server may be an older one. Whoever wants
 * credentials, has an outage or redirects elsewhere would do that in any revision.
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
