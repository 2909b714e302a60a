import { isLoopbackHost } from '../http/loopback.ts'

const maxLength = 2_048
const onThisMachine = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d{1,5})?([/?].*)?$/
/** Browsers run or read these instead of opening an application. */
const dangerous: ReadonlySet<string> = new Set([
  ...['javascript:', 'data:', 'file:', 'blob:', 'about:', 'vbscript:', 'ftp:', 'ws:', 'wss:'],
  ...['view-source:', 'filesystem:', 'mailto:', 'tel:', 'sms:'],
])

/** Why users may not be sent to an address; undefined if they may (auth.sec.redirect-uri-form). */
export function problemOfRedirectUri(uri: string): string | undefined {
  if (uri.length > maxLength) return `a redirect URI is longer than ${maxLength} characters`
  if (!URL.canParse(uri) || /[\s\\]/.test(uri)) return 'a redirect URI is no URL'
  const { protocol, hostname, username, password } = new URL(uri)
  if (uri.includes('#')) return 'a redirect URI has a fragment'
  if (username !== '' || password !== '') return 'a redirect URI contains credentials'
  if (dangerous.has(protocol)) return `a redirect URI has the scheme ${protocol}`
  if (protocol === 'http:' && !isLoopbackHost(hostname)) {
    return 'a redirect URI is neither https nor on this machine'
  }
  return undefined
}

/**
 * Whether an address is one of those that were registered, compared as text (auth.sec.redirect-exact-match). Programs
 * on this machine listen at any free port, so the port may differ there (RFC 8252 section 7.3).
 */
export function isRegistered(uri: string, registered: readonly string[]): boolean {
  if (registered.includes(uri)) return true
  const [, host, rest = ''] = onThisMachine.exec(uri) ?? []
  if (host === undefined || problemOfRedirectUri(uri) !== undefined) return false
  return registered.some((each) => {
    const [, registeredHost, registeredRest = ''] = onThisMachine.exec(each) ?? []
    return registeredHost === host && registeredRest === rest
  })
}

export const isLoopbackUri = (uri: string): boolean => onThisMachine.test(uri)

interface Destination {
  /** For people. */
  host: string
  kind: 'machine' | 'site' | 'application'
  /** For the `form-action` of a policy: where the client may send its user on to at once counts as well. */
  sources: readonly string[]
}

/** The target of a redirect. */
export function destinationOf(uri: string): Destination {
  const { protocol, host, hostname, origin } = new URL(uri)
  const isWeb = protocol === 'http:' || protocol === 'https:'
  if (!isWeb) return { host: protocol, kind: 'application', sources: [protocol] }
  if (!isLoopbackHost(hostname)) return { host, kind: 'site', sources: ['https:'] }
  return { host, kind: 'machine', sources: [origin, 'http://127.0.0.1:*', 'http://localhost:*', 'https:'] }
}
