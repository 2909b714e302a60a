import type { Revision } from '../model/revision.ts'
import { hasHandshake, newestWithHandshake } from '../wire/codecs.ts'
import type { ClientConversation } from './conversation.ts'
import { clientSessionConversation } from './session/session-conversation.ts'
import { clientStatelessConversation } from './stateless/stateless-conversation.ts'

/** The conversation of a revision. */
export const clientConversationFor = (revision: Revision): ClientConversation =>
  hasHandshake(revision) ? clientSessionConversation : clientStatelessConversation

/** The first of the revisions, given newest first, that has sessions. */
export const newestInSession: (newestFirst: readonly Revision[]) => Revision | undefined = newestWithHandshake
