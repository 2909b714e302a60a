import type { RedisOptions } from 'ioredis'
import type { Address } from './address.ts'

/** Options of the client library. Nothing is queued and nothing is sent twice: a call either runs now or fails now. */
export function clientOptions({ socket, tls, username, password, database }: Address, timeoutMs: number): RedisOptions {
  return {
    ...socket,
    ...(tls && { tls: { ...('host' in socket && { servername: socket.host }), ...(tls.ca && { ca: tls.ca }) } }),
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    db: database,
    lazyConnect: true,
    connectTimeout: timeoutMs,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    disableClientInfo: true,
    retryStrategy: () => null,
  }
}
