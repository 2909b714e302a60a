import type { SessionDiff } from '@tenon/replay'

/** A session file that is open, or being recorded. */
export interface SessionView {
  id: string
  /** The name of the file. */
  name: string
  state: 'recording' | 'whole'
  /** The server of the workbench that is or was recorded. */
  server?: string
  messages: number
  /** When it began; epoch milliseconds. */
  at: number
  /** Both sides and the revision, as far as the messages name them. */
  serverInfo?: string
  clientInfo?: string
  revision?: string
  /** How many values were left out because they are secret. */
  redacted?: number
  /** Mistakes in the file that do not matter much. */
  warnings: string[]
}

export type { SessionDiff }

export interface SessionCommands {
  /** Opens a file that the page has read. */
  'session.open': { params: { name: string; text: string }; result: { session: string } }
  /** Records all messages on the connection of a server from now on. */
  'session.record': { params: { server: string }; result: { session: string } }
  'session.stop': { params: { session: string }; result: Record<string, never> }
  /** Makes a session of the messages of a server in the timeline. */
  'session.take': { params: { server: string }; result: { session: string } }
  'session.text': { params: { session: string }; result: { name: string; text: string } }
  'session.remove': { params: { session: string }; result: Record<string, never> }
  /** Adds a server that answers as it is recorded. */
  'session.serve': { params: { session: string }; result: { server: string } }
  'session.diff': { params: { before: string; after: string }; result: { diff: SessionDiff } }
}
