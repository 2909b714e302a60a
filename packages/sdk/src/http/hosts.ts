/** The names under which a machine reaches itself. */
export const loopbackNames: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

const hostAndPort = /^(\[[0-9a-f:.]+\]|[^:[\]/@\s]+)(?::(\d{1,5}))?$/i

/** Whether a `Host` value names one of the hosts. An entry without a port stands for all ports. */
export function matchesHost(header: string, allowed: readonly string[]): boolean {
  const match = hostAndPort.exec(header)
  if (match === null) return false
  const name = match[1]!.toLowerCase()
  const whole = header.toLowerCase()
  return allowed.some((entry) => entry.toLowerCase() === name || entry.toLowerCase() === whole)
}

const localOrigin = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/

/** Whether a page was loaded from this machine. */
export const isLocalOrigin = (origin: string): boolean => localOrigin.test(origin)

export const isLoopbackAddress = (address: string | undefined): boolean =>
  address !== undefined && (/^(?:::ffff:)?127\./.test(address) || address === '::1')

/** The accepted hosts of a server that listens on this address. */
export function hostsOfAddress(address: string): readonly string[] {
  const own = address.includes(':') ? `[${address}]` : address
  return loopbackNames.includes(own) ? loopbackNames : [...loopbackNames, own]
}
