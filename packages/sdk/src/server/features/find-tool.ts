import type { Offers } from '../definition/offers.ts'
import type { ServerTool } from './tool.ts'

/** A tool, and the server that it was defined for. */
export interface FoundTool {
  /** The name that it was looked up by. */
  readonly name: string
  readonly tool: ServerTool<never>
  readonly owner: Offers
  /** The mounted server that the name leads to, and the tool as it is found there; absent if the tool is of this server. */
  readonly via?: { readonly server: Offers; readonly found: FoundTool }
}

/** A tool by the name that clients use, here or in a mounted server. */
export function findTool(server: Offers, name: unknown): FoundTool | undefined {
  if (typeof name !== 'string') return undefined
  const tool = server.tools.get(name)
  if (tool !== undefined) return { name, tool, owner: server }
  for (const { definition: mounted, prefix } of server.mounts) {
    const found = name.startsWith(prefix) ? findTool(mounted, name.slice(prefix.length)) : undefined
    if (found !== undefined) return { name, tool: found.tool, owner: found.owner, via: { server: mounted, found } }
  }
  return undefined
}
