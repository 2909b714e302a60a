import type {
  CallOptions,
  CallToolResult,
  JsonObject,
  ReadResourceResult,
  Tool,
  ToolCallOptions,
} from '@tenon/sdk/client'
import type { Warning } from './catalogue/warnings.ts'

/** A tool of a server, with the name that models see. */
export interface HostTool {
  /** `server__tool`, within the alphabet and the length that every provider accepts. */
  readonly name: string
  /** The name of its server in the configuration. */
  readonly server: string
  /** As the server sent it, without characters that a person cannot see. */
  readonly tool: Tool
  /** Reasons to look twice at the definition. */
  readonly warnings?: readonly Warning[]
}

/** Options of a call, and the id of the model's tool call, for logs and questions. */
export interface HostCallOptions extends ToolCallOptions {
  readonly callId?: string
  /**
   * Called with true when the call waits for consent, and with false when it goes on. A call that is stopped in between
   * was never made.
   */
  readonly onWaiting?: (isWaiting: boolean) => void
}

/** The result of a tool call, with the most used parts at hand. */
export interface HostToolResult extends CallToolResult {
  /** All text blocks, joined by line breaks. */
  readonly text: string
  readonly isError: boolean
  /** The same value as `structuredContent`. */
  readonly structured: unknown
}

/** The tools and resources that a conversation with a model may use. A `Host` is one. */
export interface Toolbox {
  /** The tools that may be called, sorted by name. */
  readonly tools: readonly HostTool[]
  /** Calls a tool by the name that models see, after consent. */
  callTool(
    name: string,
    args?: JsonObject,
    options?: HostCallOptions,
  ): Promise<Pick<CallToolResult, 'content' | 'structuredContent' | 'isError'>>
  /** Reads a resource of one server, for links in its results. */
  readResource(server: string, uri: string, options?: CallOptions): Promise<ReadResourceResult>
  /** The servers that are not started yet: their tools are not known. */
  readonly idle?: readonly string[]
  /** Finds tools by words, the best first. Without it a conversation searches in `tools` itself. */
  search?(words: string, options?: { limit?: number }): readonly { readonly item: HostTool }[]
}
