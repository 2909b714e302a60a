import { isMcpError } from '../../../errors.ts'
import { isHttpError } from '../../../http-client/http-error.ts'

/** What a server's wish for the time between two looks is bounded by. */
export const shortestMs: number = 50
export const longestMs: number = 5 * 60_000

const usualMs = 1_000

/** The time until the next look: what the server wants, or growing times where it does not say. */
export function intervalMs(wanted: number | undefined, looks: number): number {
  if (wanted === undefined || Number.isNaN(wanted)) return Math.min(shortestMs * 2 ** Math.min(looks, 10), usualMs)
  return Math.min(Math.max(wanted, shortestMs), longestMs)
}

/** How often in a row the server may be out of reach. */
export const maxFailures: number = 10

/** The time until the next attempt, after some in a row that did not reach the server. */
export const retryMs = (failures: number): number => Math.min(250 * 2 ** (failures - 1), 30_000)

/** True if a request did not get through, and may do so later: the task is not concerned. */
export function isPassing(error: unknown): boolean {
  if (!isMcpError(error)) return false
  if (error.code === 'timeout' || error.code === 'closed' || error.code === 'session_expired') return true
  return isHttpError(error) && (error.status >= 500 || error.status === 429 || error.status === 408)
}
