import { isIP } from 'node:net'
import type { ConnectionOptions } from 'node:tls'
import { McpError } from '@tenon/sdk/server'

/** A name and a password. */
interface Credentials {
  readonly username?: string | undefined
  readonly password?: string | undefined
}

/** A host and a port. */
export interface Place {
  readonly host: string
  readonly port: number
}

/** How Redis is reached: at one place, through sentinels that know the place, or as a cluster of which some nodes are named. */
export interface Address extends Credentials {
  readonly at:
    | { readonly kind: 'one'; readonly socket: Place | { readonly path: string } }
    | { readonly kind: 'sentinels'; readonly places: readonly Place[]; readonly name: string }
    | { readonly kind: 'cluster'; readonly places: readonly Place[] }
  /** Of the sentinels themselves. */
  readonly sentinel: Credentials
  readonly tls: ConnectionOptions | undefined
  readonly database: number
  /** For messages: without user and password. */
  readonly shown: string
}

/** More than an address says. */
export interface AddressOptions {
  /** Further options of TLS, such as `ca`, for an address that begins with `rediss`. */
  tls?: ConnectionOptions
  /** The user and the password of the sentinels, which differ from those of Redis. */
  sentinel?: Credentials
}

const schemes: ReadonlyMap<string, Address['at']['kind']> = new Map([
  ['redis', 'one'],
  ['unix', 'one'],
  ['redis+sentinel', 'sentinels'],
  ['redis+cluster', 'cluster'],
])
const expected =
  'the address of Redis: expected redis://HOST:PORT/DATABASE, redis+sentinel://HOST:PORT,…/NAME/DATABASE, redis+cluster://HOST:PORT,…, the same with rediss, or unix:///PATH?db=DATABASE'

/** Throws an `McpError` if Redis cannot be at an address; nothing is connected. */
export const checkRedisAddress = (url: string): void => void readAddress(url, {})

/** Reads an address. Messages never show it as it was given: it may hold a password. */
export function readAddress(given: string, { tls, sentinel = {} }: AddressOptions): Address {
  const [, scheme = '', rest = ''] = /^([a-z+]+):\/\/(.*)$/s.exec(String(given)) ?? []
  const isSecure = scheme.startsWith('rediss')
  const kind = schemes.get(isSecure ? scheme.replace('rediss', 'redis') : scheme)
  if (kind === undefined) throw invalid(expected)
  if (tls !== undefined && !isSecure)
    throw invalid('tls: expected an address of Redis that begins with rediss:// or rediss+')
  if (sentinel.password !== undefined && kind !== 'sentinels')
    throw invalid('sentinel: expected an address of Redis that begins with redis+sentinel')
  const { urls, user } = kind === 'one' && scheme === 'unix' ? asUrls('unix', [rest]) : asUrls('redis', hostsOf(rest))
  const { at, database } = placeOf(kind, urls)
  const sockets = at.kind === 'one' ? [at.socket] : at.places
  return {
    at,
    database,
    sentinel,
    tls: isSecure ? { ...serverName(sockets), ...tls } : undefined,
    username: decode(user.username) || undefined,
    password: decode(user.password) || undefined,
    shown: `${scheme}://${sockets.map(shownSocket).join(',')}${shownEnd(at, database)}`,
  }
}

/** `user@a:1,b:2/c` as `user@a:1/c` and `b:2/c`. */
function hostsOf(rest: string): string[] {
  const [, user = '', hosts = '', end = ''] = /^([^/]*@)?([^/?#@]*)(.*)$/s.exec(rest) ?? []
  return hosts.split(',').map((host, index) => `${index === 0 ? user : ''}${host}${end}`)
}

function asUrls(scheme: string, texts: readonly string[]): { urls: URL[]; user: URL } {
  const urls = texts.map((text) => {
    if (!URL.canParse(`${scheme}://${text}`)) throw invalid(expected)
    return new URL(`${scheme}://${text}`)
  })
  for (const { searchParams, hash } of urls)
    if ([...searchParams.keys()].some((name) => name !== 'db') || hash !== '')
      throw invalid(`${expected}, and # and ? in a password as %23 and %3F`)
  return { urls, user: urls[0]! }
}

function placeOf(kind: Address['at']['kind'], urls: URL[]): Pick<Address, 'at' | 'database'> {
  const [first] = urls as [URL]
  const parts = first.protocol === 'unix:' ? [] : first.pathname.split('/').slice(1).map(decode).filter(Boolean)
  const [name = '', ...others] = kind === 'sentinels' ? parts : ['', ...parts]
  if (others.length > 1 || (kind === 'sentinels' && name === '')) throw invalid(expected)
  const database = databaseOf(first.searchParams.get('db') ?? others[0] ?? '0')
  if (kind === 'cluster' && database !== 0) throw invalid('the address of Redis: a cluster has no databases')
  if (kind === 'one') {
    if (urls.length > 1) throw invalid(expected)
    return { at: { kind, socket: socketOf(first) }, database }
  }
  const places = urls.map((url) => tcpOf(url, kind === 'sentinels' ? 26_379 : 6_379))
  return { at: kind === 'sentinels' ? { kind, places, name } : { kind, places }, database }
}

function socketOf(url: URL): Place | { path: string } {
  if (url.protocol !== 'unix:') return tcpOf(url, 6_379)
  if (url.hostname !== '' || url.pathname.length < 2) throw invalid(expected)
  return { path: decode(url.pathname) }
}

function tcpOf({ hostname, port }: URL, usual: number): Place {
  if (hostname === '') throw invalid(expected)
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || usual) }
}

function databaseOf(text: string): number {
  if (!/^\d{1,7}$/.test(text)) throw invalid(expected)
  return Number(text)
}

/** The name that the certificate has to have; an address is no name, and nodes of a cluster have one each. */
function serverName(sockets: readonly (Place | { path: string })[]): ConnectionOptions {
  const [socket] = sockets
  const isOne = sockets.length === 1 && socket !== undefined && 'host' in socket && isIP(socket.host) === 0
  return isOne ? { servername: socket.host } : {}
}

const shownSocket = (socket: Place | { path: string }): string =>
  'path' in socket ? socket.path : `${isIP(socket.host) === 6 ? `[${socket.host}]` : socket.host}:${socket.port}`

function shownEnd(at: Address['at'], database: number): string {
  if (at.kind === 'cluster' || (at.kind === 'one' && 'path' in at.socket)) return ''
  return at.kind === 'sentinels' ? `/${at.name}/${database}` : `/${database}`
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw invalid(`${expected}, and % in a password as %25`)
  }
}

const invalid = (message: string): McpError => new McpError('invalid_argument', message)
