import type { Codec } from '../wire/codec.ts'
import type { ConversationOpening, ServerConversation } from './conversation.ts'
import { sessionConversation } from './session/session-conversation.ts'
import { sessionOpening } from './session/session-opening.ts'
import { statelessConversation } from './stateless/stateless-conversation.ts'
import { statelessOpening } from './stateless/stateless-opening.ts'

/** The conversation that a revision has. */
export const conversationFor = (codec: Codec): ServerConversation =>
  codec.handshake ? sessionConversation : statelessConversation

/** Each is offered a request on a connection, in this order: one that describes itself needs no session. */
export const openings: readonly ConversationOpening[] = [statelessOpening, sessionOpening]
