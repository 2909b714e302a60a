import type { Revision } from '../model/revision.ts'
import type { Codec } from '../wire/codec.ts'
import { hasHandshake } from '../wire/codecs.ts'
import type { ConversationOpening, ServerConversation } from './conversation.ts'
import { sessionConversation } from './session/session-conversation.ts'
import { sessionOpening } from './session/session-opening.ts'
import { statelessConversation } from './stateless/stateless-conversation.ts'
import { statelessOpening } from './stateless/stateless-opening.ts'

/** The conversation that a revision has. */
export const conversationFor = (codec: Codec): ServerConversation =>
  hasHandshake(codec.revision) ? sessionConversation : statelessConversation

/** The revisions that open with `initialize`. */
export const handshakeRevisionsOf = (spoken: readonly Revision[]): readonly Revision[] => spoken.filter(hasHandshake)

/** Each is offered a request on a connection, in this order: one that describes itself needs no session. */
export const openings: readonly ConversationOpening[] = [statelessOpening, sessionOpening]
