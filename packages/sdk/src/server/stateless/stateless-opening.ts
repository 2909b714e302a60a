import { metaKeys } from '../../model/meta.ts'
import type { ConversationOpening } from '../conversation.ts'
import { callerOf, isSelfContained } from './request-meta.ts'

/** A request that names its version in `_meta` describes its caller too. */
export const statelessOpening: ConversationOpening = {
  receive(request, connection) {
    const { definition, info } = connection
    if (!isSelfContained(request.params) || definition.statelessRevisions.length === 0) return undefined
    const auth = request.sink.auth ?? info.auth
    return connection.answerOnce(request, callerOf(definition, request.params!, info, auth))
  },
  unopened: ({ statelessRevisions }) =>
    statelessRevisions.length > 0 ? `without params._meta["${metaKeys.protocolVersion}"]` : undefined,
}
