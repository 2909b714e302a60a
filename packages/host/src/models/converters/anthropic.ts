import { mediaUseOf } from '../../chat/model/media.ts'
import { prepareTools } from '../../chat/tools/definitions.ts'
import type { Toolbox } from '../../toolbox.ts'
import { runToolUses, type ToolUseOptions } from './tool-use.ts'

/** A tool of the Messages API. */
export interface AnthropicTool {
  name: string
  description?: string
  input_schema: { type: 'object'; [keyword: string]: unknown }
}

/** A message of the Messages API, as far as calls go. */
export interface AnthropicMessage {
  content: readonly { type: string }[]
}

type ImageType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp'

type AnthropicBlock =
  | { type: 'text'; text: string }
  | { type: 'image'; source: { type: 'base64'; media_type: ImageType; data: string } }
  | { type: 'document'; source: { type: 'base64'; media_type: 'application/pdf'; data: string } }

/** The message of the user that answers all calls of a message. */
export interface AnthropicToolResults {
  role: 'user'
  content: { type: 'tool_result'; tool_use_id: string; content: AnthropicBlock[]; is_error?: boolean }[]
}

/** The tools for `tools` of a request of the Messages API. */
export const toAnthropicTools = ({ tools }: Toolbox): AnthropicTool[] =>
  prepareTools(tools).usable.map(({ tool: { name, description, inputSchema } }) => ({
    name,
    ...(description && { description }),
    input_schema: { ...inputSchema, type: 'object' },
  }))

interface ToolUseBlock {
  type: 'tool_use'
  id: string
  name: string
  input: unknown
}

const mediaBlock = (data: string, mediaType: string): AnthropicBlock =>
  mediaType === 'application/pdf'
    ? { type: 'document', source: { type: 'base64', media_type: mediaType, data } }
    : { type: 'image', source: { type: 'base64', media_type: mediaType as ImageType, data } }

export async function handleAnthropicToolUse(
  toolbox: Toolbox,
  message: AnthropicMessage,
  options: ToolUseOptions,
): Promise<AnthropicToolResults | undefined> {
  const uses = message.content.filter((block): block is ToolUseBlock => block.type === 'tool_use')
  if (uses.length === 0) return undefined
  const results = await runToolUses(toolbox, uses, options, mediaUseOf('anthropic'))
  const content = results.map(({ id, text, media, isError }) => ({
    type: 'tool_result' as const,
    tool_use_id: id,
    content: [{ type: 'text' as const, text }, ...media.map(({ data, mediaType }) => mediaBlock(data, mediaType))],
    ...(isError && { is_error: true }),
  }))
  return { role: 'user', content }
}
