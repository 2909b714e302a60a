import type { Caller } from '../caller.ts'

/** The client on these transports is the process that started or embeds the server. */
const local: ReadonlySet<string> = new Set(['stdio', 'memory'])

export const isLocal = ({ connection }: Pick<Caller, 'connection'>): boolean => local.has(connection.transport)

/**
 * Whose tasks a caller sees. Without authentication callers over a network cannot be told apart: there the id of a task
 * is all that is needed to use it.
 */
export function ownerOf(caller: Caller): string {
  if (caller.auth !== undefined) return `user:${caller.auth.principal}`
  return isLocal(caller) ? 'local' : 'anyone'
}

/** True if a caller can be told from others, so that it may list its tasks. */
export const isIdentified = (caller: Pick<Caller, 'auth' | 'connection'>): boolean =>
  ownerOf(caller as Caller) !== 'anyone'
