import { McpError } from '../../errors.ts'
import { describe, isObject } from '../../jsonrpc/classify.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import type { CacheHints, CacheScope } from '../../model/caching.ts'

/** How long results may be kept, and by whom. Only clients from 2026-07-28 get these hints. */
export interface CachePolicy {
  /** How long a result stays fresh. Default 0: it is asked for again every time. */
  ttlMs?: number
  /** Who may keep it. Default `private`: the caller that it was made for. */
  scope?: CacheScope
}

/** The policy of a server's results; `lists` and `discover` override it for some of them. */
export interface ServerCacheOptions extends CachePolicy {
  /**
   * Who may keep lists and discovery. A list that callers may see differently is always `private`, and
   * a read is unless its resource says otherwise.
   */
  scope?: CacheScope
  lists?: { tools?: CachePolicy; prompts?: CachePolicy; resources?: CachePolicy; resourceTemplates?: CachePolicy }
  discover?: CachePolicy
}

/** The hints for each kind of result. Without any hints there is nothing to add. */
export interface CompiledCache {
  /** By the member of the result that holds the items. */
  readonly lists: ReadonlyMap<string, CacheHints>
  readonly discover: CacheHints | undefined
  readonly read: CacheHints | undefined
}

const listNames = ['tools', 'prompts', 'resources', 'resourceTemplates'] as const
const policyMembers = ['ttlMs', 'scope']

export function compileCache(options: ServerCacheOptions = {}): CompiledCache {
  const what = 'createServer cache'
  checkMembers(options, [...policyMembers, 'lists', 'discover'], what)
  checkMembers(options.lists ?? {}, listNames, `${what}.lists`)
  const { ttlMs, scope } = options
  const common = compilePolicy({ ...(ttlMs !== undefined && { ttlMs }), ...(scope !== undefined && { scope }) }, what)
  const lists = new Map<string, CacheHints>()
  for (const name of listNames) {
    const hints = { ...common, ...compilePolicy(options.lists?.[name], `${what}.lists.${name}`) }
    if (hasHints(hints)) lists.set(name, hints)
  }
  const discover = { ...common, ...compilePolicy(options.discover, `${what}.discover`) }
  return {
    lists,
    discover: hasHints(discover) ? discover : undefined,
    read: ttlMs === undefined ? undefined : { ttlMs },
  }
}

const hasHints = (hints: CacheHints): boolean => Object.keys(hints).length > 0

/** A policy in the words of results. A mistake in it is one that would only show at the clients. */
export function compilePolicy(policy: CachePolicy | undefined, what: string): CacheHints | undefined {
  if (policy === undefined) return undefined
  checkMembers(policy, policyMembers, what)
  const { ttlMs, scope } = policy
  const problem = wrongHints({ ttlMs, cacheScope: scope }, { ttlMs: 'ttlMs', cacheScope: 'scope' })
  if (problem !== undefined) throw new McpError('invalid_definition', `${what}.${problem}`)
  return { ...(ttlMs !== undefined && { ttlMs }), ...(scope !== undefined && { cacheScope: scope }) }
}

/** The problem with hints, if there is one. */
export function wrongHints(
  { ttlMs, cacheScope }: { ttlMs?: unknown; cacheScope?: unknown },
  names = { ttlMs: 'ttlMs', cacheScope: 'cacheScope' },
): string | undefined {
  if (ttlMs !== undefined && !(Number.isSafeInteger(ttlMs) && (ttlMs as number) >= 0)) {
    return `${names.ttlMs}: expected milliseconds as an integer of at least 0, got ${shown(ttlMs)}`
  }
  if (cacheScope !== undefined && cacheScope !== 'public' && cacheScope !== 'private') {
    return `${names.cacheScope}: expected "public" or "private", got ${shown(cacheScope)}`
  }
  return undefined
}

/** A result without the permission to show it to others. */
export const keptPrivate = (result: JsonObject): JsonObject =>
  result.cacheScope === 'public' ? { ...result, cacheScope: 'private' } : result

const shown = (value: unknown): string => (typeof value === 'number' ? String(value) : describe(value))

function checkMembers(given: object, known: readonly string[], what: string): void {
  if (!isObject(given)) throw new McpError('invalid_definition', `${what}: expected an object, got ${describe(given)}`)
  const unknown = Object.keys(given).find((name) => !known.includes(name))
  if (unknown === undefined) return
  throw new McpError('invalid_definition', `${what}: expected ${known.join(', ')}, got ${JSON.stringify(unknown)}`)
}
