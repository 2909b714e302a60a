import type { Caller } from '../caller.ts'

/** Whoever speaks through these is the one who started or embeds the server. */
const local: ReadonlySet<string> = new Set(['stdio', 'memory'])

/**
 * Whose tasks a caller sees. Without authentication callers over a network cannot be told apart: there the id of a task
 * is all that is needed to use it.
 */
export function ownerOf({ auth, connection }: Caller): string {
  if (auth !== undefined) return `user:${auth.principal}`
  return local.has(connection.transport) ? 'local' : 'anyone'
}

/** True if a caller can be told from others, so that it may be told what its tasks are. */
export const isKnown = (caller: Pick<Caller, 'auth' | 'connection'>): boolean => ownerOf(caller as Caller) !== 'anyone'
