import type { JsonObject } from '../../jsonrpc/message.ts'
import type { ContentBlock } from '../../model/content.ts'
import type { LogMessage } from '../../model/logging.ts'
import type { Tool } from '../../model/tools.ts'
import type { DisplayMode } from '../vocabulary.ts'

type MaybePromise<T> = T | Promise<T>

/** A view wants to call a tool of its server. */
export interface AppToolCall {
  tool: Tool
  arguments: JsonObject
  /** Fires when the view gives up, or is gone. */
  signal: AbortSignal
}

/** A view wants something said in the conversation. */
export interface AppMessage {
  role: 'user'
  content: ContentBlock[]
}

/** What the model shall know from now on; replaces what the view said before. */
export interface ModelContext {
  content?: ContentBlock[]
  structuredContent?: JsonObject
}

/**
 * What a host does for a view. What is missing here is not offered, and every call is refused by a `false`.
 */
export interface AppCallbacks {
  /** Whether the view may call a tool that is visible to apps: always, or by decision. */
  callTool?: true | ((call: AppToolCall) => MaybePromise<boolean>)
  /** Whether the view may read a resource of its server: always, or by decision. */
  readResource?: true | ((read: { uri: string; signal: AbortSignal }) => MaybePromise<boolean>)
  /** Opens a page, outside of this one. Only `http` and `https` get here. */
  openLink?: (url: URL) => unknown
  /** Adds a message to the conversation. */
  message?: (message: AppMessage) => unknown
  updateModelContext?: (context: ModelContext) => unknown
  /** Shows the view in another way. Only modes that host and view both have get here. */
  requestDisplayMode?: (mode: DisplayMode) => unknown
  /** The view changed its size. */
  sizeChanged?: (size: { width?: number; height?: number }) => void
  log?: (message: LogMessage) => void
}
