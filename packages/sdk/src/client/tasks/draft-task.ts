import { McpError } from '../../errors.ts'
import { isObject } from '../../jsonrpc/classify.ts'
import type { CallToolResult } from '../../model/tools.ts'

const draftKey = 'modelcontextprotocol.io/task'

/**
 * Refuses a task in the form of a draft, which FastMCP 2.14 sends: an empty success that names a task in `_meta`. Shown
 * as a result it would say that the tool is done.
 */
export function refuseDraftTask(name: string, { content, structuredContent, _meta }: CallToolResult): void {
  const task = _meta?.[draftKey]
  if (!isObject(task) || typeof task.taskId !== 'string') return
  if (content.length > 0 || structuredContent !== undefined) return
  const id = JSON.stringify(task.taskId.slice(0, 100))
  throw new McpError(
    'invalid_result',
    `Tool ${JSON.stringify(name)} was answered with the task ${id} in _meta, as in a draft of the tasks of 2025-11-25, ` +
      'and with no result; it may be running',
  )
}
