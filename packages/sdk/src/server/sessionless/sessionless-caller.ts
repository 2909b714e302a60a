import type { Revision } from '../../model/revision.ts'
import { codecFor } from '../../wire/codecs.ts'
import type { ConnectionInfo } from '../caller.ts'
import { CallerState } from '../caller-state.ts'
import type { SpokenRevisions } from '../conversation.ts'
import { defaultLogLevel } from '../session/handshake.ts'
import { serverSessionlessConversation } from './sessionless-conversation.ts'

/** The caller of one request: nothing is known of it but its revision and its token. */
export const sessionlessCaller = (
  { logs }: SpokenRevisions,
  revision: Revision,
  connection: ConnectionInfo,
): CallerState =>
  new CallerState(
    codecFor(revision),
    serverSessionlessConversation,
    { capabilities: {}, logLevel: logs ? defaultLogLevel : undefined },
    connection,
  )
