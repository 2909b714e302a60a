import { readFileSync } from 'node:fs'
import { Misuse } from '@tenon/server-kit'
import type { RedisSettings } from './redis-settings.ts'

/** How Redis is reached. */
export interface Address {
  readonly socket: { readonly host: string; readonly port: number } | { readonly path: string }
  readonly tls: { readonly ca: string | undefined } | undefined
  readonly username: string | undefined
  readonly password: string | undefined
  readonly database: number
  /** For messages: without user and password. */
  readonly shown: string
}

const defaultUrl = 'redis://localhost:6379'
const schemes: ReadonlySet<string> = new Set(['redis:', 'rediss:', 'unix:'])

/** Reads the address. Messages never show the URL as it was given: it may hold a password. */
export function addressOf(settings: RedisSettings): Address {
  const url = parseUrl(settings.redis ?? defaultUrl)
  const database = settings.database ?? databaseIn(url)
  const isSocket = url.protocol === 'unix:'
  if (settings.tlsCa !== undefined && url.protocol !== 'rediss:') {
    throw new Misuse('--tls-ca needs an address that begins with rediss://')
  }
  const socket = isSocket
    ? { path: decode(url.pathname, 'path') }
    : { host: url.hostname.replace(/^\[|\]$/g, '') || 'localhost', port: Number(url.port || 6379) }
  return {
    socket,
    tls: url.protocol === 'rediss:' ? { ca: settings.tlsCa && readText(settings.tlsCa, '--tls-ca') } : undefined,
    username: settings.username ?? (decode(url.username, 'user') || undefined),
    password: passwordOf(settings) ?? (decode(url.password, 'password') || undefined),
    database,
    shown: 'path' in socket ? `unix://${socket.path}?db=${database}` : shownHost(url, socket.port, database),
  }
}

const shownHost = ({ protocol, hostname }: URL, port: number, database: number): string =>
  `${protocol}//${hostname || 'localhost'}:${port}/${database}`

function parseUrl(given: string): URL {
  const url = URL.canParse(given) ? new URL(given) : undefined
  if (url === undefined || !schemes.has(url.protocol)) {
    throw new Misuse('the address of Redis: expected redis://HOST:PORT/DATABASE, rediss://… or unix:///PATH')
  }
  const unknown = [...url.searchParams.keys()].find((name) => name !== 'db')
  if (unknown !== undefined || url.hash !== '') {
    throw new Misuse('the address of Redis: expected no parameters but "db"; encode # and ? in a password')
  }
  if (url.protocol === 'unix:' && (url.hostname !== '' || url.pathname.length < 2)) {
    throw new Misuse('the address of Redis: expected unix:///PATH with an absolute path')
  }
  return url
}

function databaseIn(url: URL): number {
  const inPath = url.protocol === 'unix:' ? '' : url.pathname.slice(1)
  const text = url.searchParams.get('db') ?? (inPath || '0')
  if (!/^\d{1,7}$/.test(text))
    throw new Misuse('the address of Redis: expected the number of a database after the host')
  return Number(text)
}

function decode(text: string, what: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Misuse(`the address of Redis: the ${what} is not correctly encoded; write % as %25`)
  }
}

const passwordOf = ({ password, passwordFile }: RedisSettings): string | undefined =>
  passwordFile === undefined ? password : readText(passwordFile, '--password-file').split(/\r?\n/)[0]

function readText(file: string, flag: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new Misuse(`${flag}: ${(error as Error).message}`)
  }
}
