import { McpError } from '../errors.ts'
import { describe, isObject } from '../jsonrpc/classify.ts'
import { checkKinds, type OptionKinds } from '../options/check-kinds.ts'
import { checkLimits } from '../options/check-limits.ts'
import type { ClientLimits, ConnectOptions } from './options.ts'

const isFunction = (value: unknown): boolean => typeof value === 'function'
const isOptional = (value: unknown): boolean => value === undefined || isFunction(value)

const optionKinds: OptionKinds<ConnectOptions> = {
  info: 'any',
  revisions: 'any',
  prefer: 'any',
  elicit: 'any',
  sample: 'any',
  roots: ['array', 'function'],
  capabilities: 'object',
  extensions: 'any',
  onLog: 'function',
  onElicitationComplete: 'function',
  onError: 'function',
  onWarning: 'function',
  onNotification: 'function',
  onMessage: 'function',
  onRestart: 'function',
  timeoutMs: 'any',
  maxTotalMs: 'any',
  probeTimeoutMs: 'any',
  keepAlive: 'object',
  validate: 'any',
  cache: 'any',
  tasks: 'any',
  limits: 'object',
  signal: 'object',
  headers: 'any',
  auth: 'any',
  fetch: 'any',
  agent: 'object',
  dispatcher: 'object',
  onStream: 'function',
  onHttp: 'function',
  httpLimits: 'object',
}

const limitKinds: OptionKinds<ClientLimits> = {
  maxIncoming: 'any',
  maxOutgoing: 'any',
  maxBatch: 'any',
  maxPages: 'any',
  maxRounds: 'any',
  maxQuestionsPerMinute: 'any',
}

const capabilityKinds: OptionKinds<NonNullable<ConnectOptions['capabilities']>> = {
  experimental: 'any',
  extensions: 'any',
}

/** Refuses capabilities that follow from `elicit`, `sample` and `roots`. */
export function assertCapabilities({ capabilities = {} }: ConnectOptions): void {
  checkKinds(capabilities, capabilityKinds, 'connect capabilities', 'invalid_argument')
}

/** Refuses unusable options, such as callbacks that are no functions, which would fail only when a server uses them. */
export function assertOptions(options: ConnectOptions): void {
  checkKinds(options, optionKinds, 'connect', 'invalid_argument')
  checkKinds(options.limits ?? {}, limitKinds, 'connect limits', 'invalid_argument')
  checkLimits(options.httpLimits ?? {}, 'connect httpLimits')
  const { info, elicit, sample, validate, revisions } = options
  const named = typeof info?.name === 'string' && typeof info.version === 'string'
  assert(info === undefined || named, 'info', '{ name, version } with strings', info)
  const modes = isObject(elicit) && isOptional(elicit.form) && isOptional(elicit.url)
  assert(isOptional(elicit) || modes, 'elicit', 'a function, or { form, url } with functions', elicit)
  const sampler = isObject(sample) && isFunction(sample.handler)
  assert(isOptional(sample) || sampler, 'sample', 'a function, or { handler } with one', sample)
  const mode = validate ?? 'warn'
  assert(['off', 'warn', 'strict'].includes(mode), 'validate', '"off", "warn" or "strict"', validate)
  assert(Array.isArray(revisions ?? []), 'revisions', 'an array', revisions)
  const { prefer = 'newest' } = options
  assert(['newest', 'session'].includes(prefer), 'prefer', '"newest" or "session"', prefer)
  const { extensions = [] } = options
  const used = Array.isArray(extensions) && extensions.every((one) => isObject(one) && one.kind === 'used-extension')
  assert(used, 'extensions', 'an array of what extension(...).use() returns', extensions)
  assert(isOptional(options.fetch), 'fetch', 'a function', options.fetch)
  const { headers } = options
  // `Headers` would be spread into nothing.
  const isRecord =
    isObject(headers) &&
    Object.values(headers).every((value) => typeof value === 'string') &&
    !(headers instanceof Headers)
  assert(isOptional(headers) || isRecord, 'headers', 'an object of strings, or a function', headers)
  const { auth } = options
  const isAuth = isObject(auth) && isFunction(auth.headers) && isFunction(auth.challenged)
  assert(auth === undefined || isAuth, 'auth', 'what oauth(...) returns', auth)
  const { cache } = options
  assert(
    cache === undefined || cache === false || isObject(cache),
    'cache',
    'false, or { maxEntries, maxBytes }',
    cache,
  )
  const { tasks } = options
  assert(tasks === undefined || typeof tasks === 'boolean', 'tasks', 'a boolean', tasks)
}

function assert(fine: boolean, name: string, expected: string, found: unknown): void {
  if (fine) return
  const got = typeof found === 'string' ? JSON.stringify(found) : describe(found)
  throw new McpError('invalid_argument', `${name}: expected ${expected}, got ${got}`)
}
