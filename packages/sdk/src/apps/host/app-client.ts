import type { CallOptions, ToolCallResult } from '../../client/types.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import type { ReadResourceResult } from '../../model/resources.ts'
import type { CallToolResult, Tool } from '../../model/tools.ts'

/** The part of a connected client that a bridge needs: the client of the server that the view came from. */
export interface AppClient {
  tools(): AsyncIterable<Tool>
  callTool(name: string, args?: JsonObject, options?: CallOptions): Promise<ToolCallResult>
  readResource(uri: string, options?: CallOptions): Promise<ReadResourceResult>
}

/** A result of `callTool`, or as it travels. */
export type AnyToolResult = ToolCallResult | CallToolResult

/** A result as views know it. */
export function toWireResult(result: AnyToolResult): JsonObject {
  if (!('structured' in result)) return { ...result }
  const { content, structured, isError, meta } = result
  return {
    content,
    ...(structured !== undefined && { structuredContent: structured }),
    ...(isError && { isError }),
    ...(meta && { _meta: meta }),
  }
}
