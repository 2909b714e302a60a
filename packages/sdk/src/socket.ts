export type { SocketAddress } from './socket/address.ts'
export { type SocketOptions, socketChannel } from './socket/connect.ts'
export { type ServeSocketOptions, type SocketServer, serveSocket } from './socket/serve.ts'
