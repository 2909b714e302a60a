export type { Authenticate, AuthRefusal, OpenAnswer } from './http/authenticate.ts'
export { guardRequests } from './http/guard-requests.ts'
export type { HttpRequest } from './http/request.ts'
export { type RequestHead, readHead } from './http/request-head.ts'
export type { RequestTarget } from './http/request-target.ts'
export type { CorsOptions } from './http-server/checks/cors.ts'
export { type NodeHandler, nodeHandler } from './http-server/node/node-handler.ts'
export type { HttpOptions, ResponseMode } from './http-server/options.ts'
export { type HttpServer, type ServeHttpOptions, serveHttp } from './http-server/serve-http.ts'
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
export { type FileTaskStoreOptions, fileTaskStore } from './task-files/file-task-store.ts'
