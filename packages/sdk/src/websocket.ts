export { type AttachedWebSocket, type AttachWebSocketOptions, attachWebSocket } from './websocket/attach.ts'
export type { WebSocketLimits } from './websocket/channel.ts'
export { type WebSocketOptions, webSocketChannel } from './websocket/connect.ts'
export type { PlatformWebSocket, WebSocketConstructor } from './websocket/platform-socket.ts'
export type { UpgradePolicy, UpgradeRefusal } from './websocket/refusals.ts'
export {
  type ServeWebSocketOptions,
  serveWebSocket,
  type WebSocketAddress,
  type WebSocketServer,
} from './websocket/serve.ts'
