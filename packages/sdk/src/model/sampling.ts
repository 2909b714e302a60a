import type { AudioContent, ContentBlock, ImageContent, TextContent } from './content.ts'
import type { Meta, Role } from './meta.ts'
import type { Tool } from './tools.ts'

export interface ToolUseContent {
  type: 'tool_use'
  id: string
  name: string
  input: { [name: string]: unknown }
  _meta?: Meta
}

export interface ToolResultContent {
  type: 'tool_result'
  toolUseId: string
  content: ContentBlock[]
  structuredContent?: unknown
  isError?: boolean
  _meta?: Meta
}

export type SamplingContent = TextContent | ImageContent | AudioContent | ToolUseContent | ToolResultContent

export interface SamplingMessage {
  role: Role
  /** One block, or several from 2025-11-25. */
  content: SamplingContent | SamplingContent[]
  _meta?: Meta
}

export interface ModelPreferences {
  hints?: { name?: string }[]
  costPriority?: number
  speedPriority?: number
  intelligencePriority?: number
}

export interface CreateMessageParams {
  messages: SamplingMessage[]
  maxTokens: number
  systemPrompt?: string
  modelPreferences?: ModelPreferences
  includeContext?: 'none' | 'thisServer' | 'allServers'
  temperature?: number
  stopSequences?: string[]
  metadata?: { [name: string]: unknown }
  /** From 2025-11-25, if the client declared `sampling.tools`. */
  tools?: Tool[]
  toolChoice?: { mode?: 'auto' | 'required' | 'none' }
}

export interface CreateMessageResult {
  role: Role
  content: SamplingContent | SamplingContent[]
  model: string
  stopReason?: 'endTurn' | 'stopSequence' | 'maxTokens' | 'toolUse' | (string & {})
  _meta?: Meta
}
