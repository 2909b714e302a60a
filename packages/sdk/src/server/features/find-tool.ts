import type { Definition } from '../definition/definition.ts'
import type { ServerTool } from './tool.ts'

/** A tool, and the server that it was defined for. */
export interface FoundTool {
  tool: ServerTool<never>
  owner: Definition
}

/** A tool by the name that clients use, here or in a mounted server. */
export function findTool(definition: Definition, name: unknown): FoundTool | undefined {
  if (typeof name !== 'string') return undefined
  const tool = definition.tools.get(name)
  if (tool !== undefined) return { tool, owner: definition }
  for (const { definition: mounted, prefix } of definition.mounts) {
    const found = name.startsWith(prefix) ? findTool(mounted, name.slice(prefix.length)) : undefined
    if (found !== undefined) return found
  }
  return undefined
}
