import type { Caller } from '../caller.ts'

/** Whoever speaks through these is the one who started or embeds the server. */
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

/** True if a caller can be told from others, so that it may be told what its tasks are. */
export const isIdentified = (caller: Pick<Caller, 'auth' | 'connection'>): boolean =>
  ownerOf(caller as Caller) !== 'anyone'
