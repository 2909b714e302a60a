import type { Revision } from '../../model/revision.ts'
import { newestInSession } from '../choose-conversation.ts'
import type { ClientSettings } from '../options.ts'
import type { ClientDescription } from './client-description.ts'
import type { ClientConnection } from './connection.ts'
import type { Opener } from './target.ts'

/** The revision to open with, if it is not the newest one. */
export function preferredRevision(
  { prefer, revisions }: ClientSettings,
  description: ClientDescription,
  { asking }: Opener,
): Revision | undefined {
  const learned = prefer === undefined && canAnswer(description) && asking?.needsSession() === true
  if (prefer !== 'session' && !learned) return undefined
  return newestInSession(revisions)
}

const canAnswer = ({ capabilities: { elicitation, sampling, roots } }: ClientDescription): boolean =>
  elicitation !== undefined || sampling !== undefined || roots !== undefined

/** Names the option `prefer` to a client with answers when the server says that it cannot ask; returns true if so. */
export function noteUnsentQuestion(
  said: string,
  { conversation, codec }: ClientConnection,
  { settings, description }: { settings: ClientSettings; description: ClientDescription },
  { asking }: Opener,
): boolean {
  const question = conversation.unsentQuestion(said)
  if (question === undefined || !canAnswer(description)) return false
  asking?.learn()
  settings.warn(
    `The server cannot send ${question} in ${codec.revision}: connect with \`prefer: 'session'\`, ` +
      'in which servers with a session can',
  )
  return true
}
