export type { RequestTarget } from './http/request-target.ts'
export type { HeaderRecord } from './http-client/http-options.ts'
export { type RequestHeadersOptions, requestHeaders } from './http-client/request-headers.ts'
export type { CorsOptions } from './http-server/cors.ts'
export { type FetchHandler, fetchHandler } from './http-server/fetch-handler.ts'
export { MemoryBus } from './http-server/memory-bus.ts'
export { MemoryEventLog } from './http-server/memory-event-log.ts'
export { MemorySessionStore } from './http-server/memory-session-store.ts'
export type { Authenticate, AuthRefusal, HttpOptions, OpenAnswer, ResponseMode } from './http-server/options.ts'
export type { HttpRequest } from './http-server/request.ts'
export type {
  Bus,
  EventLog,
  EventLogLimits,
  LoggedEvent,
  SessionRecord,
  SessionStore,
} from './http-server/stores.ts'
export type { Message } from './jsonrpc/message.ts'
