import type { ServerCapabilities } from '../model/capabilities.ts'
import type { ContentBlock } from '../model/content.ts'
import type { Implementation, Meta } from '../model/meta.ts'
import type { Progress } from '../model/progress.ts'
import type { Revision } from '../model/revision.ts'
import type { TraceContext } from '../telemetry/trace-context.ts'

/** The server's description of itself. */
export interface ServerDescription {
  /** The name and version of the server. Optional in 2026-07-28. */
  readonly info: Implementation | undefined
  readonly capabilities: ServerCapabilities
  /** Guidance for the model on using the server. */
  readonly instructions: string | undefined
  /** The revision in use on this connection. */
  readonly revision: Revision
}

/** Options that every call takes. */
export interface CallOptions {
  /** Aborting it cancels the call here and at the server. */
  signal?: AbortSignal
  /** Silence longer than this fails the call; progress starts it anew. */
  timeoutMs?: number
  /** The call never takes longer than this, with all its progress and input requests. */
  maxTotalMs?: number
  /** Requests progress. Without it the server has no token to report to, and the timeout is never extended. */
  onProgress?: (progress: Progress) => void
  /** Extra `_meta` of the request. */
  meta?: Meta
  /** Sends the request even if the cache has a fresh result. */
  fresh?: boolean
  /**
   * Handed to the callbacks that answer input requests of this call, as `context.origin`. Never sent. A question that a
   * server asks in a session names no call, and has none.
   */
  origin?: unknown
}

/** Options of a call for one page of a list. */
export interface PageOptions extends CallOptions {
  /** The `nextCursor` of the page before. */
  cursor?: string
}

/** The result of a tool call. */
export interface ToolCallResult<Structured = unknown> {
  content: ContentBlock[]
  /** The structured content; checked against the tool's output schema as `validate` says. */
  structured: Structured | undefined
  /** The same value as `structured`, under the name of the specification. */
  structuredContent: Structured | undefined
  /** The tool ran and failed: `text` is for the model to read. */
  isError: boolean
  /** All text blocks, joined by line breaks. */
  text: string
  /** The `_meta` of the result, without the server info, which `client.server` has. */
  meta: Meta | undefined
  /** The same value as `meta`, under the name of the specification. */
  _meta: Meta | undefined
}

/** A list whose changes a server can announce. */
export type ChangeKind = 'tools' | 'resources' | 'prompts'

/** A resource has changed; `uri` may be below the watched one. */
export interface ResourceUpdate {
  uri: string
}

/** A watched resource; disposing ends the watch. */
export interface Watch extends AsyncDisposable {
  readonly uri: string
  close(): Promise<void>
}

/** The context of a request that a callback answers. */
export interface InputContext {
  /** Fires when the server cancels the request, the call that led to it is aborted, or the connection ends. */
  readonly signal: AbortSignal
  /** The trace context of the request, if it has one. */
  readonly trace?: TraceContext | undefined
  readonly revision: Revision
  readonly serverInfo: Implementation | undefined
  /** The `origin` of the call that led to the request, if the request came in its result. */
  readonly origin?: unknown
}
