import type { Caller, ConnectionInfo } from '@tenon/sdk/server'

export interface Note {
  text: string
  modified: Date
}

/** The state of one client: handlers find it in `ctx.context`. */
export interface ClientState {
  /** Part of the client's note URIs, so that no other client can ask for them. */
  readonly id: string
  readonly notes: Map<string, Note>
  /** Operations so far, by method. */
  readonly operations: Map<string, number>
  rootsChanges: number
}

/**
 * The state of clients, by connection. All clients share the server definition; the state of one of them is gone with
 * its connection.
 */
export function clientStateStore(): (caller: Caller) => ClientState {
  // From 2026-07-28 every request makes a caller of its own, on the same connection.
  const sessions = new WeakMap<ConnectionInfo, ClientState>()
  return ({ connection }) => {
    const known = sessions.get(connection)
    if (known !== undefined) return known
    const session = {
      id: crypto.randomUUID().slice(0, 8),
      notes: new Map(),
      operations: new Map(),
      rootsChanges: 0,
    }
    sessions.set(connection, session)
    return session
  }
}
