import { mediaUseOf } from '../../chat/model/media.ts'
import { prepareTools } from '../../chat/tools/definitions.ts'
import type { Toolbox } from '../../toolbox.ts'
import { runToolUses, type ToolUseOptions, type ToolUseResult } from './tool-use.ts'

interface FunctionDefinition {
  name: string
  description?: string
  parameters: { [keyword: string]: unknown }
}

/** A tool of the chat completions API. */
export interface OpenAIChatTool {
  type: 'function'
  function: FunctionDefinition
}

/** A tool of the Responses API. */
export interface OpenAIResponsesTool extends FunctionDefinition {
  type: 'function'
  strict: false
}

/** The tools for `tools` of a request of the chat completions API, or of the Responses API. */
export function toOpenAITools(toolbox: Toolbox): OpenAIChatTool[]
export function toOpenAITools(toolbox: Toolbox, api: 'chat'): OpenAIChatTool[]
export function toOpenAITools(toolbox: Toolbox, api: 'responses'): OpenAIResponsesTool[]
export function toOpenAITools(
  { tools }: Toolbox,
  api: 'chat' | 'responses' = 'chat',
): (OpenAIChatTool | OpenAIResponsesTool)[] {
  return prepareTools(tools).usable.map(({ tool: { name, description, inputSchema } }) => {
    const definition = { name, ...(description && { description }), parameters: inputSchema }
    return api === 'chat'
      ? { type: 'function', function: definition }
      : { type: 'function', ...definition, strict: false }
  })
}

/** A message of the chat completions API, as far as calls go. */
export interface OpenAIChatMessage {
  tool_calls?: readonly { id: string; type?: string; function?: { name: string; arguments: string } }[] | null
}

/** A response of the Responses API, as far as calls go. */
export interface OpenAIResponse {
  output: readonly { type: string }[]
}

/** The messages that answer all calls of a message. Pictures follow as a message of the user. */
export type OpenAIChatToolResults = (
  | { role: 'tool'; tool_call_id: string; content: string }
  | { role: 'user'; content: ({ type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } })[] }
)[]

/** The input items that answer all calls of a response. */
export type OpenAIResponsesToolResults = {
  type: 'function_call_output'
  call_id: string
  output: string | ({ type: 'input_text'; text: string } | { type: 'input_image'; image_url: string; detail: 'auto' })[]
}[]

const dataUrl = ({ data, mediaType }: { data: string; mediaType: string }): string => `data:${mediaType};base64,${data}`

const withError = ({ text, isError }: ToolUseResult): string => (isError ? `Error: ${text}` : text)

export async function handleChatToolCalls(
  toolbox: Toolbox,
  { tool_calls }: OpenAIChatMessage,
  options: ToolUseOptions,
): Promise<OpenAIChatToolResults | undefined> {
  if (!tool_calls?.length) return undefined
  const uses = tool_calls.map(({ id, function: call }) => ({
    id,
    name: call?.name ?? '',
    input: call?.arguments ?? '',
  }))
  const results = await runToolUses(toolbox, uses, options, mediaUseOf('openai.chat'))
  const messages: OpenAIChatToolResults = results.map((result) => ({
    role: 'tool',
    tool_call_id: result.id,
    content: withError(result),
  }))
  const pictures = results.flatMap(({ name, media }) =>
    media.flatMap((part) => [
      { type: 'text' as const, text: `Part of the result of ${name}, not of the user:` },
      { type: 'image_url' as const, image_url: { url: dataUrl(part) } },
    ]),
  )
  return pictures.length === 0 ? messages : [...messages, { role: 'user', content: pictures }]
}

interface FunctionCall {
  type: 'function_call'
  call_id: string
  name: string
  arguments: string
}

export async function handleResponseCalls(
  toolbox: Toolbox,
  { output }: OpenAIResponse,
  options: ToolUseOptions,
): Promise<OpenAIResponsesToolResults | undefined> {
  const calls = output.filter((item): item is FunctionCall => item.type === 'function_call')
  if (calls.length === 0) return undefined
  const uses = calls.map(({ call_id, name, arguments: input }) => ({ id: call_id, name, input }))
  // Documents have another shape on this wire, so only pictures are sent.
  const results = await runToolUses(toolbox, uses, options, (type) =>
    mediaUseOf(/^image/.test(type) ? 'openai.responses' : '')(type),
  )
  return results.map((result) => {
    const text = withError(result)
    const pictures = result.media.map((part) => ({
      type: 'input_image' as const,
      image_url: dataUrl(part),
      detail: 'auto' as const,
    }))
    const content = pictures.length === 0 ? text : [{ type: 'input_text' as const, text }, ...pictures]
    return { type: 'function_call_output', call_id: result.id, output: content }
  })
}
