import type { MaybePromise } from '../../internal/maybe-promise.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import type { ContentBlock } from '../../model/content.ts'
import type { LogMessage } from '../../model/logging.ts'
import type { Tool } from '../../model/tools.ts'
import type { DisplayMode } from '../vocabulary.ts'

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

/** Context for the model from now on; replaces the earlier context of the view. */
export interface ModelContext {
  content?: ContentBlock[]
  structuredContent?: JsonObject
}

/** The host's side of a view. A missing callback is not offered, and `false` refuses a call. */
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
