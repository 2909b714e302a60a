import { ToolIndex } from '../../catalogue/search.ts'
import type { HostTool, Toolbox } from '../../toolbox.ts'

/** The tools of a toolbox that fit a query best, by its own search if it has one. */
export function findTools(toolbox: Toolbox, query: string, limit: number): HostTool[] {
  const found = toolbox.search?.(query, { limit }) ?? new ToolIndex(toolbox.tools).search(query, limit)
  return found.map(({ item }) => item)
}
