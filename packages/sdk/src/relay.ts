export { isSameAuth } from './jsonrpc/auth-info.ts'
export { metaKeys } from './model/meta.ts'
export { tasksExtension } from './model/tasks.ts'
export { backend } from './relay/backend.ts'
export type { BackendHandlers, BackendIntroduction, BackendListening, ListenFilter } from './relay/handlers.ts'
export {
  connectRaw,
  type RawCallOptions,
  type RawClient,
  type RawClientOptions,
  type RawQuestion,
  type RawSender,
} from './relay/raw-client.ts'
export type { BackendRequest } from './relay/request.ts'
export { BackendSession } from './relay/session.ts'
export type { Backend } from './server/backend.ts'
export { hasSameRights } from './server/rights.ts'
