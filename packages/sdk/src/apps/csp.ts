import { McpError } from '../errors.ts'
import { describe, isObject } from '../jsonrpc/classify.ts'
import type { AppCsp } from './vocabulary.ts'

const kinds = ['connectDomains', 'resourceDomains', 'frameDomains', 'baseUriDomains'] as const

const label = '[a-z\\d](?:[a-z\\d-]{0,61}[a-z\\d])?'
// A wildcard stands for subdomains of a name with two labels or more: `https://*.com` would be half the web.
const host = `(?:(?:\\*\\.${label}\\.)?(?:${label}\\.){0,30}${label}|\\[[\\da-f:.]{2,45}\\])`
const originForm = new RegExp(`^(?:https?|wss?)://${host}(?::\\d{1,5})?$`, 'i')

/** True for an origin that may stand in a policy: nothing that could end a directive, no keyword, no bare wildcard. */
export const isPolicyOrigin = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= 255 && originForm.test(value)

/** How many origins of one kind a policy may name: headers have an end. */
const maxOrigins = 64

/** Refuses origins that a host could not turn into a policy; for definitions. */
export function checkCsp(csp: unknown, what: string): void {
  if (!isObject(csp)) throw invalid(`${what} csp: expected an object, got ${describe(csp)}`)
  const unknown = Object.keys(csp).find((key) => !(kinds as readonly string[]).includes(key))
  if (unknown !== undefined) throw invalid(`${what} csp.${unknown}: expected one of ${kinds.join(', ')}`)
  for (const kind of kinds) {
    const origins = csp[kind]
    if (origins === undefined) continue
    if (!Array.isArray(origins)) throw invalid(`${what} csp.${kind}: expected an array, got ${describe(origins)}`)
    if (origins.length > maxOrigins) throw invalid(`${what} csp.${kind}: expected at most ${maxOrigins} origins`)
    const wrong = origins.findIndex((origin) => !isPolicyOrigin(origin))
    if (wrong < 0) continue
    const found = typeof origins[wrong] === 'string' ? JSON.stringify(origins[wrong]) : describe(origins[wrong])
    throw invalid(
      `${what} csp.${kind}[${wrong}]: expected an origin such as "https://api.example.com" or "https://*.example.com", got ${found}`,
    )
  }
}

const invalid = (message: string): McpError => new McpError('invalid_definition', message)

/** The origins that a policy can be made of; `drop` is called with the others. */
export function readCsp(csp: unknown, drop: (what: string) => void): AppCsp {
  const read: { [kind in keyof AppCsp]: readonly string[] } = {}
  if (!isObject(csp)) return read
  for (const kind of kinds) {
    const declared = csp[kind]
    if (!Array.isArray(declared)) continue
    const origins = declared.slice(0, maxOrigins).filter(isPolicyOrigin)
    if (origins.length < declared.length)
      drop(`csp.${kind}: ${declared.length - origins.length} entries are no origins`)
    if (origins.length > 0) read[kind] = origins
  }
  return read
}

/** The intersection: a host can take away, and never add. */
export function restrictCsp(declared: AppCsp, approved: AppCsp): AppCsp {
  const common: { [kind in keyof AppCsp]: readonly string[] } = {}
  for (const kind of kinds) {
    const origins = (declared[kind] ?? []).filter((origin) => approved[kind]?.includes(origin))
    if (origins.length > 0) common[kind] = origins
  }
  return common
}

/**
 * The policy of a view that may reach these origins and nothing else. Everything but `form-action` is the policy of the
 * specification; a form could carry data anywhere, and `default-src` does not hold it.
 */
export function policyOf(csp: AppCsp = {}): string {
  const resources = csp.resourceDomains ?? []
  return [
    "default-src 'none'",
    directive('script-src', ["'self'", "'unsafe-inline'", ...resources]),
    directive('style-src', ["'self'", "'unsafe-inline'", ...resources]),
    directive('img-src', ["'self'", 'data:', ...resources]),
    directive('font-src', ["'self'", ...resources]),
    directive('media-src', ["'self'", 'data:', ...resources]),
    directive('connect-src', csp.connectDomains ?? []),
    directive('frame-src', csp.frameDomains ?? []),
    directive('base-uri', csp.baseUriDomains ?? ["'self'"]),
    "object-src 'none'",
    "form-action 'none'",
  ].join('; ')
}

const directive = (name: string, sources: readonly string[]): string =>
  `${name} ${sources.length === 0 ? "'none'" : sources.join(' ')}`
