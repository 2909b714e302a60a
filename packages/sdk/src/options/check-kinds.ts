import { nearest } from '../display/nearest.ts'
import { McpError, type McpErrorCode } from '../errors.ts'
import { describe } from '../jsonrpc/classify.ts'
import { checkLimit } from './check-limits.ts'

/** The kind of value that an option takes; `any` where the function checks it more exactly itself. */
type Kind = 'string' | 'number' | 'boolean' | 'function' | 'array' | 'object' | 'false' | '*' | 'any'

/** The kinds of all options of a type: a name too many or too few does not compile. */
export type OptionKinds<Options> = { readonly [Name in keyof Options]-?: Kind | readonly Kind[] }

/**
 * Refuses options that a function does not have, and values of another kind. TypeScript finds both; in JavaScript such an
 * option would be ignored without a word, or fail when a client comes.
 *
 * Returns the options that were checked, read once each. Those of a class are often getters or methods, which a spread of
 * the object would lose: an `auth` that nobody asks would let everybody in.
 */
export function checkKinds<Options extends object>(
  options: Options,
  kinds: { readonly [name: string]: Kind | readonly Kind[] },
  what: string,
  code: McpErrorCode = 'invalid_definition',
): Options {
  if (!isOf('object', options)) throw new McpError(code, `${what}: expected an object, got ${describe(options)}`)
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || Object.hasOwn(kinds, name)) continue
    throw new McpError(code, `${what}: unknown option ${name}; ${hint(name, kinds)}`)
  }
  const checked: { [name: string]: unknown } = {}
  for (const name of Object.keys(kinds)) {
    const value = (options as typeof checked)[name]
    if (value === undefined) continue
    const expected = [kinds[name]!].flat()
    if (!expected.some((kind) => isOf(kind, value))) {
      throw new McpError(code, `${what} ${name}: expected ${expected.map(named).join(' or ')}, got ${describe(value)}`)
    }
    if (typeof value === 'number' && !expected.includes('any')) checkLimit(name, value, what, code)
    checked[name] = value
  }
  return checked as Options
}

function isOf(kind: Kind, value: unknown): boolean {
  if (kind === 'any') return true
  if (kind === 'false') return value === false
  if (kind === '*') return value === kind
  if (kind === 'array' || kind === 'object') {
    return typeof value === 'object' && value !== null && Array.isArray(value) === (kind === 'array')
  }
  return typeof value === kind
}

const named = (kind: Kind): string => {
  if (kind === 'false' || kind === '*') return JSON.stringify(kind === 'false' ? false : kind)
  return `${/^[ao]/.test(kind) ? 'an' : 'a'} ${kind}`
}

/** The names that other libraries have for an option. */
const elsewhere: { readonly [ours: string]: string } = {
  input: 'inputSchema parameters paramsSchema schema args',
  output: 'outputSchema',
  arguments: 'argsSchema args parameters inputSchema input',
  run: 'handler execute callback cb fn load',
  read: 'handler execute callback cb fn load readCallback run',
  annotations: 'readOnlyHint destructiveHint idempotentHint openWorldHint readOnly destructive idempotent openWorld',
  meta: '_meta',
  uriTemplate: 'template uri',
  scopes: 'requiredScopes',
  visible: 'enabled canAccess',
  info: 'clientInfo name',
  auth: 'authProvider authenticate',
  elicit: 'elicitation elicitationHandler',
  sample: 'sampling samplingHandler',
  headers: 'requestInit',
  path: 'endpoint',
  host: 'hostname',
  sessions: 'stateless statelessHttp sessionIdGenerator',
}

function hint(name: string, kinds: object): string {
  const names = Object.keys(kinds)
  const ours = names.find((known) => Object.hasOwn(elsewhere, known) && elsewhere[known]!.split(' ').includes(name))
  if (ours !== undefined) return `it is called ${ours} here`
  const near = nearest(name, names)
  return near.length > 0 ? `did you mean ${near.join(' or ')}?` : `there are ${names.join(', ')}`
}
