import type { CallToolResult, JsonObject } from '@tenon/sdk/client'
import type { ChatError } from './chat-error.ts'
import type { TokenUsage } from './usage.ts'

/**
 * How a tool call ended.
 *
 * - `ok`: the tool ran
 * - `error`: the tool ran and failed, or could not be called
 * - `refused`: consent or a policy did not allow the call
 * - `cancelled`: the conversation was stopped
 * - `interrupted`: an earlier process ended before the result arrived; the call is never repeated
 * - `limit`: a limit of the conversation was reached before the call
 */
export type CallOutcome = 'ok' | 'error' | 'refused' | 'cancelled' | 'interrupted' | 'limit'

/**
 * The reason why a conversation ended without an error.
 *
 * - `answered`: the model has answered
 * - `length`: the model reached the largest answer that it may give
 * - `steps`, `tokens`, `cost`: a limit of the conversation was reached
 * - `cancelled`: the signal fired
 */
export type DoneReason = 'answered' | 'length' | 'steps' | 'tokens' | 'cost' | 'cancelled'

/** A piece of the model's answer. */
export interface TextEvent {
  type: 'text'
  text: string
}

/** A piece of the model's reasoning. */
export interface ReasoningEvent {
  type: 'reasoning'
  text: string
}

/** A tool of the toolbox or of the conversation; the latter has no server. */
interface OfCall {
  callId: string
  /** The name that the model sees. */
  name: string
  server?: string
}

/** A tool is about to be called. */
export interface ToolCallEvent extends OfCall {
  type: 'tool-call'
  arguments: JsonObject
}

/** Progress of a running call. Reports that nobody has read are replaced by later ones. */
export interface ToolProgressEvent extends OfCall {
  type: 'tool-progress'
  progress?: number
  total?: number
  message?: string
  /** The status of the task, if the call became one. */
  task?: string
}

/** A call has ended. */
export interface ToolResultEvent extends OfCall {
  type: 'tool-result'
  outcome: CallOutcome
  /** As the server sent it. The model may have been given less: see `spilled`. */
  result: CallToolResult
  /** The id under which the model can read the rest, if the result is too large to be shown at once. */
  spilled?: string
}

/** A step has ended: one answer of the model, and the calls in it. */
export interface StepEndEvent {
  type: 'step-end'
  step: number
  usage: TokenUsage
  /** With `prices` only. */
  cost?: number
}

/** The conversation waits before it asks the model again, a definition was changed for the model, or a server is not started. */
export interface NoticeEvent {
  type: 'notice'
  kind: 'retry' | 'tool-changed' | 'tool-left-out' | 'not-started'
  message: string
  /** How long a retry waits. */
  delayMs?: number
}

/** The last event of a conversation that went well. */
export interface DoneEvent {
  type: 'done'
  reason: DoneReason
  /** The text of the last answer. */
  text: string
  steps: number
  usage: TokenUsage
  cost?: number
}

/** The last event of a conversation that failed. */
export interface ErrorEvent {
  type: 'error'
  error: ChatError
}

export type ChatEvent =
  | TextEvent
  | ReasoningEvent
  | ToolCallEvent
  | ToolProgressEvent
  | ToolResultEvent
  | StepEndEvent
  | NoticeEvent
  | DoneEvent
  | ErrorEvent
