import { McpError } from '../errors.ts'
import { describe, isObject } from '../jsonrpc/classify.ts'
import type { AppPermissions } from './vocabulary.ts'

/** The permissions of views, by their names in permission policies. */
const features: ReadonlyMap<keyof AppPermissions, string> = new Map([
  ['camera', 'camera'],
  ['microphone', 'microphone'],
  ['geolocation', 'geolocation'],
  ['clipboardWrite', 'clipboard-write'],
])

/** Refuses names that no host knows; for definitions. */
export function checkPermissions(permissions: unknown, what: string): void {
  const invalid = (message: string): McpError => new McpError('invalid_definition', `${what} permissions${message}`)
  if (!isObject(permissions)) throw invalid(`: expected an object, got ${describe(permissions)}`)
  for (const [name, value] of Object.entries(permissions)) {
    if (!(features as ReadonlyMap<string, string>).has(name))
      throw invalid(`.${name}: expected one of ${[...features.keys()].join(', ')}`)
    if (!isObject(value)) throw invalid(`.${name}: expected an object, got ${describe(value)}`)
  }
}

/** The known permissions that a server sent. */
export function readPermissions(value: unknown): AppPermissions {
  const read: AppPermissions = {}
  if (isObject(value)) for (const name of features.keys()) if (isObject(value[name])) read[name] = {}
  return read
}

/** The intersection: a host can take away, and never add. */
export function restrictPermissions(declared: AppPermissions, approved: AppPermissions): AppPermissions {
  const common: AppPermissions = {}
  for (const name of features.keys()) if (declared[name] && approved[name]) common[name] = {}
  return common
}

/** The `allow` attribute of a frame. */
export const allowAttribute = (permissions: AppPermissions): string =>
  [...features].flatMap(([name, feature]) => (permissions[name] ? [feature] : [])).join('; ')
