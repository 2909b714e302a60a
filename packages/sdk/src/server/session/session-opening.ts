import type { ConversationOpening } from '../conversation.ts'

/** `initialize` opens the session of a connection; from then on every other request belongs to it. */
export const sessionOpening: ConversationOpening = {
  receive(request, connection) {
    if (request.method === 'initialize') return connection.openSession(request)
    const answer = connection.answerInSession(request)
    if (answer !== undefined) return answer
    // A client may see whether anybody is there before it introduces itself.
    return request.method === 'ping' && connection.definition.sessionRevisions.length > 0 ? {} : undefined
  },
  unopened: ({ sessionRevisions }) => (sessionRevisions.length > 0 ? 'before initialize' : undefined),
}
