import { isObject } from '../jsonrpc/classify.ts'

/** Which member of the params the header `Mcp-Name` repeats, by method. */
const nameMembers: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
])

/** What the header `Mcp-Name` of a request has to say, before it is encoded; undefined if it needs none. */
export function mcpName(method: string, params: unknown): string | undefined {
  const member = nameMembers.get(method)
  if (member === undefined || !isObject(params)) return undefined
  const value = Object.hasOwn(params, member) ? params[member] : undefined
  return typeof value === 'string' ? value : undefined
}
