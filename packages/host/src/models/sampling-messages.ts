import type { CreateMessageParams, SamplingContent, SamplingMessage, ToolResultContent } from '@tenon/sdk/client'
import { ChatError } from '../chat/chat-error.ts'
import type { ChatLimits } from '../chat/limits.ts'
import type { MediaUse } from '../chat/model/media.ts'
import { toModelOutput } from '../chat/model/model-output.ts'
import { resultForModel, resultParts } from '../chat/results/tool-result.ts'
import type { ModelFilePart, ModelMessage, ModelResultPart } from './language-model.ts'

type UserPart = Extract<ModelMessage, { role: 'user' }>['content'][number]
type AssistantPart = Extract<ModelMessage, { role: 'assistant' }>['content'][number]

const blocksOf = ({ content }: SamplingMessage): SamplingContent[] => (Array.isArray(content) ? content : [content])

const misplaced = ({ type }: SamplingContent, role: string): ChatError =>
  new ChatError('rejected', `A message of the ${role} cannot have a block of type ${JSON.stringify(type)}`)

const filePart = ({ data, mimeType }: { data: string; mimeType: string }): ModelFilePart => ({
  type: 'file',
  data,
  mediaType: mimeType,
})

function assistantPart(block: SamplingContent): AssistantPart {
  if (block.type === 'text') return { type: 'text', text: block.text }
  if (block.type === 'image' || block.type === 'audio') return filePart(block)
  if (block.type !== 'tool_use') throw misplaced(block, 'assistant')
  return { type: 'tool-call', toolCallId: block.id, toolName: block.name, input: block.input }
}

function userPart(block: SamplingContent): UserPart {
  if (block.type === 'text') return { type: 'text', text: block.text }
  if (block.type === 'image' || block.type === 'audio') return filePart(block)
  throw misplaced(block, 'user')
}

/** The messages of a sampling request as a model takes them. */
export function toMessages(request: CreateMessageParams, limits: ChatLimits, media: MediaUse): ModelMessage[] {
  /** The names of the calls so far, by their ids: results name only the id. */
  const names = new Map<string, string>()
  const inside: MediaUse = (type) => (media(type) === 'result' ? 'result' : 'none')

  const resultPart = (block: ToolResultContent): ModelResultPart => {
    const name = names.get(block.toolUseId)
    if (name === undefined) {
      throw new ChatError('rejected', `There is no tool_use with the id ${JSON.stringify(block.toolUseId)}`)
    }
    const { text, media } = resultForModel(block, '', limits, inside)
    const output = toModelOutput(resultParts(text, media), block.isError ?? false)
    return { type: 'tool-result', toolCallId: block.toolUseId, toolName: name, output }
  }

  const toMessage = (message: SamplingMessage): ModelMessage[] => {
    const blocks = blocksOf(message)
    if (message.role === 'assistant') {
      for (const block of blocks) if (block.type === 'tool_use') names.set(block.id, block.name)
      return [{ role: 'assistant', content: blocks.map(assistantPart) }]
    }
    const results = blocks.filter((block) => block.type === 'tool_result').map(resultPart)
    const content = blocks.filter((block) => block.type !== 'tool_result').map(userPart)
    return [
      ...(results.length > 0 ? [{ role: 'tool' as const, content: results }] : []),
      ...(content.length > 0 ? [{ role: 'user' as const, content }] : []),
    ]
  }

  const system: ModelMessage[] = request.systemPrompt ? [{ role: 'system', content: request.systemPrompt }] : []
  return [...system, ...request.messages.flatMap(toMessage)]
}
