import { ErrorCode } from '../../errors.ts'
import { isLocalOrigin, loopbackNames, matchesHost } from '../../http/hosts.ts'
import type { HttpRequest } from '../../http/request.ts'
import type { HttpSettings } from '../options.ts'
import { type Accepted, readAccept } from './accept.ts'
import { corsAllows } from './cors.ts'
import { type HttpRefusal, refusal, retryLater } from './refusal.ts'

/** A check that needs no body: a refusal, or nothing. */
export type RequestCheck = (request: HttpRequest, settings: HttpSettings) => HttpRefusal | undefined

/** Stops DNS rebinding: a page that points its own name at this machine still sends that name. */
export const refuseHost: RequestCheck = (request, { allowedHosts }) => {
  if (allowedHosts === '*') return undefined
  const allowed = allowedHosts ?? (request.onLoopback ? loopbackNames : undefined)
  if (allowed === undefined || isAllowed(request.header('host') ?? '', allowed)) return undefined
  return refusal(403, 'Forbidden: the Host header names a host that this server does not answer for')
}

// Nearly all requests name the same host as the one before.
let allowedLast = { host: '', among: loopbackNames }

function isAllowed(host: string, among: readonly string[]): boolean {
  if (allowedLast.host === host && allowedLast.among === among) return true
  if (!matchesHost(host, among)) return false
  allowedLast = { host, among }
  return true
}

/** Stops web pages of other origins. Programs send no origin and are not concerned. */
const refuseOrigin: RequestCheck = (request, { allowedOrigins, allowedHosts, cors }) => {
  const origin = request.header('origin')
  if (origin === undefined || allowedOrigins === '*') return undefined
  if (cors !== undefined && corsAllows(cors, origin)) return undefined
  if (allowedOrigins === undefined ? isOwnOrigin(origin, allowedHosts) : allowedOrigins.includes(origin))
    return undefined
  return refusal(403, 'Forbidden: requests from this Origin are not allowed')
}

/** Pages of this machine, and of the hosts that were named as our own. */
const isOwnOrigin = (origin: string, hosts: HttpSettings['allowedHosts']): boolean =>
  isLocalOrigin(origin) ||
  (Array.isArray(hosts) && /^https?:\/\//.test(origin) && matchesHost(origin.slice(origin.indexOf('//') + 2), hosts))

/** Stops form posts, which browsers send to any site without asking: they cannot have this type. */
const refuseContentType: RequestCheck = (request) => {
  const type = request.header('content-type')
  if (type === 'application/json') return undefined
  if ((type ?? '').split(';', 1)[0]!.trim().toLowerCase() === 'application/json') return undefined
  return refusal(415, 'Unsupported media type: Content-Type must be application/json')
}

/** A compressed body can be a thousand times larger than it looks. */
const refuseContentEncoding: RequestCheck = (request) => {
  const encoding = request.header('content-encoding')
  if (encoding === undefined || encoding.toLowerCase() === 'identity') return undefined
  return refusal(415, 'Unsupported media type: the body must not be encoded')
}

const refuseAccept: RequestCheck = (request) => {
  const { json, sse }: Accepted = readAccept(request.header('accept'))
  if (json || sse) return undefined
  return refusal(406, 'Not acceptable: Accept must list application/json and text/event-stream')
}

export const refuseAcceptStream: RequestCheck = (request) =>
  readAccept(request.header('accept')).sse
    ? undefined
    : refusal(406, 'Not acceptable: Accept must list text/event-stream')

/** A body that says that it is too long is not read at all. */
export const refuseLength: RequestCheck = (request, { maxBodyBytes }) =>
  Number(request.header('content-length') ?? 0) > maxBodyBytes ? tooLarge(maxBodyBytes) : undefined

export const tooLarge = (maxBodyBytes: number): HttpRefusal =>
  refusal(413, `The request body is larger than ${maxBodyBytes} bytes`, undefined, { connection: 'close' })

export const tooSlow: HttpRefusal = refusal(408, 'The request body did not arrive in time', undefined, {
  connection: 'close',
})

export const noMemoryForBodies: HttpRefusal = {
  status: 503,
  error: {
    code: ErrorCode.InternalError,
    message: 'The server has no memory left for request bodies: try again later',
    data: { reason: 'memory', kind: 'bodies' },
  },
  headers: { ...retryLater, connection: 'close' },
}

/** The checks of every request. */
export const originChecks: readonly RequestCheck[] = [refuseHost, refuseOrigin]

/** The checks of a POST before its body is read. */
export const postChecks: readonly RequestCheck[] = [
  refuseContentType,
  refuseContentEncoding,
  refuseAccept,
  refuseLength,
]

export function firstRefusal(
  checks: readonly RequestCheck[],
  request: HttpRequest,
  settings: HttpSettings,
): HttpRefusal | undefined {
  for (const check of checks) {
    const refused = check(request, settings)
    if (refused !== undefined) return refused
  }
  return undefined
}
