/** A socket in the file system, or a port. */
export type SocketAddress = { path: string } | { port: number; host?: string }

export const loopback = '127.0.0.1'

/** Whether only this machine can reach a host name or address. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host)

export const showAddress = (address: SocketAddress): string =>
  'path' in address ? address.path : `${address.host ?? loopback}:${address.port}`
