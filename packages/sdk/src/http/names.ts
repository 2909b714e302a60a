import { isObject } from '../jsonrpc/classify.ts'

/** The member of the params that the header `Mcp-Name` repeats, by method. */
const nameMembers: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
])

/** The value of the header `Mcp-Name` of a request, before it is encoded; undefined if it needs none. */
export function mcpName(method: string, params: unknown): string | undefined {
  const member = nameMembers.get(method)
  if (member === undefined || !isObject(params)) return undefined
  const value = Object.hasOwn(params, member) ? params[member] : undefined
  return typeof value === 'string' ? value : undefined
}
