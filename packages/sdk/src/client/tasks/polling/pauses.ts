import { isMcpError } from '../../../errors.ts'
import { isHttpError } from '../../../http-client/http-error.ts'

/** The bounds of `pollInterval`. */
export const shortestMs: number = 50
const longestMs = 5 * 60_000

const usualMs = 1_000

/** The time until the next poll: the server's `pollInterval`, or growing times without one. */
export function intervalMs(wanted: number | undefined, polls: number): number {
  if (wanted === undefined || Number.isNaN(wanted)) return Math.min(shortestMs * 2 ** Math.min(polls, 10), usualMs)
  return Math.min(Math.max(wanted, shortestMs), longestMs)
}

const longestWaitMs = 5_000

/**
 * The time until the next poll while the user is asked: nothing changes before the answer, which ends the pause. The server's
 * `pollInterval` is the shortest, and the pauses grow from it.
 */
export function waitingMs(wanted: number | undefined, polls: number): number {
  const shortest = intervalMs(wanted, 0)
  return Math.max(shortest, Math.min(shortest * 2 ** Math.min(polls, 10), longestWaitMs))
}

/** How often in a row the server may be unreachable. */
export const maxFailures: number = 10

/** The time until the next attempt, after some in a row that did not reach the server. */
export const retryMs = (failures: number): number => Math.min(250 * 2 ** (failures - 1), 30_000)

/** True if a request did not get through and may do so later: the task is not affected. */
export function isPassing(error: unknown): boolean {
  if (!isMcpError(error)) return false
  if (error.code === 'timeout' || error.code === 'closed' || error.code === 'session_expired') return true
  return isHttpError(error) && (error.status >= 500 || error.status === 429 || error.status === 408)
}
