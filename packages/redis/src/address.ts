import { isIP } from 'node:net'
import type { ConnectionOptions } from 'node:tls'
import { McpError } from '@tenon/sdk/server'

/** How Redis is reached. */
export interface Address {
  readonly socket: { readonly host: string; readonly port: number } | { readonly path: string }
  readonly tls: ConnectionOptions | undefined
  readonly username: string | undefined
  readonly password: string | undefined
  readonly database: number
  /** For messages: without user and password. */
  readonly shown: string
}

const schemes: ReadonlySet<string> = new Set(['redis:', 'rediss:', 'unix:'])
const expected = 'the address of Redis: expected redis://HOST:PORT/DATABASE, rediss://… or unix:///PATH?db=DATABASE'

/** Reads an address. Messages never show it as it was given: it may hold a password. */
export function readAddress(given: string, tls: ConnectionOptions | undefined): Address {
  const url = typeof given === 'string' && URL.canParse(given) ? new URL(given) : undefined
  if (url === undefined || !schemes.has(url.protocol)) throw invalid(expected)
  const parameters = [...url.searchParams.keys()].filter((name) => name !== 'db')
  if (parameters.length > 0 || url.hash !== '') throw invalid(`${expected}, and # and ? in a password as %23 and %3F`)
  const isSecure = url.protocol === 'rediss:'
  if (tls !== undefined && !isSecure) throw invalid('tls: expected an address of Redis that begins with rediss://')
  const socket = socketOf(url)
  const database = databaseOf(url)
  // The name that the certificate has to have; an address is no name.
  const name = 'host' in socket && isIP(socket.host) === 0 ? socket.host : undefined
  return {
    socket,
    tls: isSecure ? { ...(name !== undefined && { servername: name }), ...tls } : undefined,
    username: decode(url.username) || undefined,
    password: decode(url.password) || undefined,
    database,
    shown: 'path' in socket ? `unix://${socket.path}` : `${url.protocol}//${url.hostname}:${socket.port}/${database}`,
  }
}

function socketOf({ protocol, hostname, port, pathname }: URL): Address['socket'] {
  if (protocol !== 'unix:') {
    if (hostname === '') throw invalid(expected)
    return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 6379) }
  }
  if (hostname !== '' || pathname.length < 2) throw invalid(expected)
  return { path: decode(pathname) }
}

function databaseOf({ protocol, pathname, searchParams }: URL): number {
  const inPath = protocol === 'unix:' ? '' : pathname.slice(1)
  const text = searchParams.get('db') ?? (inPath || '0')
  if (!/^\d{1,7}$/.test(text)) throw invalid(expected)
  return Number(text)
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw invalid(`${expected}, and % in a password as %25`)
  }
}

const invalid = (message: string): McpError => new McpError('invalid_argument', message)
