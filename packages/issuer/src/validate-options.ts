import { McpError } from '@tenon/sdk/auth/server'
import { nearest } from '@tenon/sdk/display'
import { problemOfRedirectUri } from './clients/redirect-uris.ts'
import { assertScopeNames } from './grants/scopes.ts'
import { isLoopbackHost } from './http/loopback.ts'
import type { IssuerOptions, User } from './options.ts'

/** Paths with one spelling: no empty segments, nothing encoded that stands for itself. */
const normalPath = /^(?:\/(?:[\w.~!$&'()*+,:@=-]|%[89a-f][\da-f])+)*\/?$/i

const wrong = (message: string): McpError => new McpError('invalid_definition', message)

/** The compiler notices a name too many or too few. */
const names: { readonly [Name in keyof IssuerOptions]-?: true } = {
  url: true,
  signIn: true,
  users: true,
  upstream: true,
  isActive: true,
  resources: true,
  scopes: true,
  clients: true,
  registration: true,
  clientDocuments: true,
  trusts: true,
  file: true,
  store: true,
  accessTokenTtlS: true,
  refreshTokenTtlS: true,
  refreshGraceS: true,
  codeTtlS: true,
  allowedHosts: true,
  allowInsecureHttp: true,
  rateLimits: true,
  network: true,
  faults: true,
  now: true,
  onEvent: true,
  onError: true,
}

/** JavaScript would ignore them without a word. */
function refuseUnknown(options: IssuerOptions): void {
  const known = Object.keys(names)
  const unknown = Object.entries(options).find(([name, value]) => value !== undefined && !known.includes(name))
  if (unknown === undefined) return
  const near = nearest(unknown[0], known)
  const hint = near.length > 0 ? `did you mean ${near.join(' or ')}?` : `there are ${known.join(', ')}`
  throw wrong(`unknown option ${unknown[0]}; ${hint}`)
}

/** Checks the options, and fills in the users of this machine. */
export function validOptions(options: IssuerOptions): IssuerOptions {
  refuseUnknown(options)
  const ways = [options.signIn, options.users, options.upstream].filter((way) => way !== undefined)
  if (options.file !== undefined && options.store !== undefined) throw wrong('file, store: expected one of them')
  if (ways.length > 1) throw wrong('signIn, users, upstream: expected one of them')
  const url = assertUrl(options)
  assertSecureClients(options)
  const { refreshGraceS = 0 } = options
  if (!(refreshGraceS >= 0 && refreshGraceS <= 60))
    throw wrong(`refreshGraceS: expected 0 to 60 seconds, got ${String(refreshGraceS)}`)
  for (const resource of options.resources ?? []) {
    if (!URL.canParse(resource) || resource.includes('#'))
      throw wrong(`resources: ${JSON.stringify(resource)} is no URI of a resource`)
  }
  for (const { issuer } of [...(options.trusts ?? []), ...(options.upstream ? [options.upstream] : [])])
    assertTrustedUrl(issuer, options)
  return { ...options, ...(needsUsers(options) && { users: usersOf(options, url) }) }
}

function assertUrl({ url: text, allowInsecureHttp = false }: IssuerOptions): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isPlain = url !== undefined && url.search === '' && !/[#?]/.test(text) && url.username === ''
  if (!isPlain)
    throw wrong(`url: expected an http or https URL without query and fragment, got ${JSON.stringify(text)}`)
  if (!normalPath.test(url.pathname))
    throw wrong(`url: expected a path in normal form, got ${JSON.stringify(url.pathname)}`)
  const { protocol, hostname } = url
  // auth.sec.https-endpoints, sec.authurl.as-https
  if (protocol === 'https:' || (protocol === 'http:' && (allowInsecureHttp || isLoopbackHost(hostname)))) return url
  throw wrong(`url: expected https, or http on this machine, got ${JSON.stringify(text)}`)
}

function assertTrustedUrl(issuer: string, { allowInsecureHttp = false }: IssuerOptions): void {
  const url = URL.canParse(issuer) ? new URL(issuer) : undefined
  const isLocal = url !== undefined && (allowInsecureHttp || isLoopbackHost(url.hostname))
  // xauth.wif.as-issuer-https
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLocal)) return
  throw wrong(`issuer: expected an https URL, got ${JSON.stringify(issuer)}`)
}

function assertSecureClients({ clients = [] }: IssuerOptions): void {
  const ids = new Set<string>()
  for (const { id, redirectUris = [], scopes = [], keys = [], secret } of clients) {
    if (id === '' || ids.has(id))
      throw wrong(`clients: expected ids that differ, got ${JSON.stringify(id)} twice or empty`)
    ids.add(id)
    assertScopeNames(scopes, `clients: ${id}: scopes`)
    const problem = redirectUris.map(problemOfRedirectUri).find((found) => found !== undefined)
    if (problem !== undefined) throw wrong(`clients: ${id}: ${problem}`)
    if (keys.some((key) => 'd' in key || 'k' in key)) throw wrong(`clients: ${id}: keys: expected public keys`)
    if (secret !== undefined && keys.length > 0) throw wrong(`clients: ${id}: expected a secret or keys, got both`)
    if (secret !== undefined && secret.length < 16)
      throw wrong(`clients: ${id}: secret: expected 16 characters or more`)
  }
}

const needsUsers = ({ signIn, upstream }: IssuerOptions): boolean => signIn === undefined && upstream === undefined

/** On the page a user may claim to be any of these, so only this machine may reach it. */
function usersOf(
  { users = [{ subject: 'developer', name: 'Developer' }] }: IssuerOptions,
  { hostname }: URL,
): readonly User[] {
  if (!isLoopbackHost(hostname)) throw wrong('signIn: expected a function, as users are for this machine only')
  if (!Array.isArray(users)) throw wrong('users: expected an array of { subject, name }')
  if (users.length === 0) throw wrong('users: expected at least one')
  const odd = users.findIndex((user) => typeof user?.subject !== 'string' || user.subject === '')
  if (odd >= 0) throw wrong(`users: expected { subject }, got ${JSON.stringify(users[odd])}`)
  return users
}

/** Tokens without a subject would make two users one. */
export function assertUser(user: User, from: string): void {
  if (typeof user.subject === 'string' && user.subject !== '') return
  throw new McpError('invalid_argument', `${from}: expected a user with a subject`)
}
