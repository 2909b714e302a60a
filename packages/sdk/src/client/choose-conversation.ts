import type { Revision } from '../model/revision.ts'
import { hasHandshake } from '../wire/codecs.ts'
import type { ClientConversation } from './conversation.ts'
import { sessionConversation } from './session/session-conversation.ts'
import { statelessConversation } from './stateless/stateless-conversation.ts'

/** The conversation of a revision. */
export const conversationFor = (revision: Revision): ClientConversation =>
  hasHandshake(revision) ? sessionConversation : statelessConversation
