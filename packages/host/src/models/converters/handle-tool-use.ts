import type { Toolbox } from '../../toolbox.ts'
import { type AnthropicMessage, type AnthropicToolResults, handleAnthropicToolUse } from './anthropic.ts'
import {
  handleChatToolCalls,
  handleResponseCalls,
  type OpenAIChatMessage,
  type OpenAIChatToolResults,
  type OpenAIResponse,
  type OpenAIResponsesToolResults,
} from './openai.ts'
import type { ToolUseOptions } from './tool-use.ts'

/**
 * Makes the calls of a model's answer, and returns the messages that answer them, in the shape of the same API: a
 * message of Anthropic, a message of OpenAI's chat completions, or a response of OpenAI. Undefined if there is no call.
 *
 * @example
 * ```ts
 * const message = await anthropic.messages.create({ model, max_tokens, messages, tools: toAnthropicTools(toolbox) })
 * const results = await handleToolUse(toolbox, message)
 * if (results) messages.push({ role: 'assistant', content: message.content }, results)
 * ```
 */
export function handleToolUse(
  toolbox: Toolbox,
  message: AnthropicMessage,
  options?: ToolUseOptions,
): Promise<AnthropicToolResults | undefined>
export function handleToolUse(
  toolbox: Toolbox,
  response: OpenAIResponse,
  options?: ToolUseOptions,
): Promise<OpenAIResponsesToolResults | undefined>
export function handleToolUse(
  toolbox: Toolbox,
  message: OpenAIChatMessage,
  options?: ToolUseOptions,
): Promise<OpenAIChatToolResults | undefined>
export async function handleToolUse(
  toolbox: Toolbox,
  message: AnthropicMessage | OpenAIResponse | OpenAIChatMessage,
  options: ToolUseOptions = {},
): Promise<unknown> {
  if ('output' in message && Array.isArray(message.output)) return handleResponseCalls(toolbox, message, options)
  if ('tool_calls' in message) return handleChatToolCalls(toolbox, message, options)
  if ('content' in message && Array.isArray(message.content)) return handleAnthropicToolUse(toolbox, message, options)
  return undefined
}
