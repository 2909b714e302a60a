export type { Authenticate, AuthRefusal, OpenAnswer } from './http/authenticate.ts'
export type { HttpRequest } from './http/request.ts'
export type { RequestTarget } from './http/request-target.ts'
export type { HeaderRecord } from './http-client/http-options.ts'
export { type RequestHeadersOptions, requestHeaders } from './http-client/request-headers.ts'
export type { CorsOptions } from './http-server/checks/cors.ts'
export { type FetchHandler, fetchHandler } from './http-server/fetch/fetch-handler.ts'
export type { HttpOptions, ResponseMode } from './http-server/options.ts'
export { MemoryBus } from './http-server/stores/memory-bus.ts'
export { MemoryEventLog } from './http-server/stores/memory-event-log.ts'
export { MemorySessionStore } from './http-server/stores/memory-session-store.ts'
export type {
  Bus,
  EventLog,
  EventLogLimits,
  LoggedEvent,
  SessionChange,
  SessionRecord,
  SessionState,
  SessionStore,
  SharedEventLog,
  SharedSessionStore,
  StreamFollower,
} from './http-server/stores/stores.ts'
export type { Message } from './jsonrpc/message.ts'
