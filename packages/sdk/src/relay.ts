export { isSameAuth } from './jsonrpc/auth-info.ts'
export { metaKeys } from './model/meta.ts'
export { tasksExtension } from './model/tasks.ts'
export { backend } from './relay/backend.ts'
export type { BackendHandlers, BackendIntroduction, BackendListening, ListenFilter } from './relay/backend-handlers.ts'
export type { BackendRequest, RequestChanges } from './relay/backend-request.ts'
export type { BackendSender } from './relay/backend-sender.ts'
export { BackendSession } from './relay/backend-session.ts'
export {
  connectRaw,
  type RawCallOptions,
  type RawClient,
  type RawClientOptions,
  type RawQuestion,
  type RawSender,
} from './relay/raw-client.ts'
export { hasSameRights } from './server/access/token-rights.ts'
export type { Backend } from './server/backend.ts'
export { hasSession } from './server/caller-state.ts'
export { lastingList } from './server/features/lasting-lists.ts'
export { InputRequired } from './server/questions/input-required.ts'
