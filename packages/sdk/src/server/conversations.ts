import type { Revision } from '../model/revision.ts'
import type { Codec } from '../wire/codec.ts'
import { hasHandshake } from '../wire/codecs.ts'
import type { ConversationOpening, ServerConversation, SpokenRevisions } from './conversation.ts'
import { serverSessionConversation } from './session/session-conversation.ts'
import { sessionOpening } from './session/session-opening.ts'
import { serverStatelessConversation } from './stateless/stateless-conversation.ts'
import { statelessOpening } from './stateless/stateless-opening.ts'

/** The conversation that a revision has. */
export const serverConversationFor = (codec: Codec): ServerConversation =>
  hasHandshake(codec.revision) ? serverSessionConversation : serverStatelessConversation

/** The revisions of a server, sorted by the conversation that they have. */
export const sortRevisions = (
  spoken: readonly Revision[],
): Pick<SpokenRevisions, 'sessionRevisions' | 'statelessRevisions'> => ({
  sessionRevisions: spoken.filter(hasHandshake),
  statelessRevisions: spoken.filter((revision) => !hasHandshake(revision)),
})

/** Each is offered a request on a connection, in this order: one that describes itself needs no session. */
export const openings: readonly ConversationOpening[] = [statelessOpening, sessionOpening]
