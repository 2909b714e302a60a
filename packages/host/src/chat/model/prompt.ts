import type { ModelFilePart, ModelMessage, ModelResultPart, ModelTextPart } from '../../models/language-model.ts'
import { callsOf } from '../transcript/conversation.ts'
import type {
  AssistantEntry,
  AssistantPart,
  ChatCallPart,
  ChatMediaPart,
  ResultEntry,
  TranscriptEntry,
  UserPart,
} from '../transcript/transcript.ts'
import type { MediaUse } from './media.ts'
import { toModelOutput } from './model-output.ts'

type AssistantMessage = Extract<ModelMessage, { role: 'assistant' }>
type UserMessage = Extract<ModelMessage, { role: 'user' }>

const filePart = ({ data, mediaType }: ChatMediaPart): ModelFilePart => ({ type: 'file', data, mediaType })

const userPart = (part: UserPart): ModelTextPart | ModelFilePart =>
  part.type === 'media' ? filePart(part) : { type: 'text', text: part.text }

function assistantPart(part: AssistantPart): AssistantMessage['content'][number] {
  if (part.type === 'media') return filePart(part)
  const options = part.provider ? { providerOptions: part.provider } : {}
  if (part.type !== 'call') return { type: part.type, text: part.text, ...options }
  return { type: 'tool-call', toolCallId: part.callId, toolName: part.name, input: part.arguments, ...options }
}

/** Media that the provider does not take inside of results follow as a message of the user. */
function mediaMessage(results: ResultEntry[], media: MediaUse): UserMessage | undefined {
  const content = results.flatMap(({ name, callId, content }) => {
    const outside = content
      .filter((part) => part.type === 'media')
      .filter((part) => media(part.mediaType) === 'message')
    const heading: ModelTextPart = { type: 'text', text: `Part of the result of ${name} (${callId}), not of the user:` }
    return outside.length === 0 ? [] : [heading, ...outside.map(filePart)]
  })
  return content.length === 0 ? undefined : { role: 'user', content }
}

/** Providers refuse a call without a result. */
const missing = ({ callId, name }: ChatCallPart): ResultEntry => ({
  type: 'result',
  callId,
  name,
  outcome: 'interrupted',
  content: [{ type: 'text', text: 'The result of this call is missing.' }],
})

function answerMessages(
  answer: AssistantEntry,
  results: ReadonlyMap<string, ResultEntry>,
  media: MediaUse,
): ModelMessage[] {
  if (answer.content.length === 0) return []
  const messages: ModelMessage[] = [{ role: 'assistant', content: answer.content.map(assistantPart) }]
  const isInside = (part: UserPart): boolean => part.type === 'text' || media(part.mediaType) === 'result'
  // Results in the order of the calls: the order in which they arrived differs from run to run.
  const ordered = callsOf(answer).map((call) => results.get(call.callId) ?? missing(call))
  const content = ordered.map(
    (result): ModelResultPart => ({
      type: 'tool-result',
      toolCallId: result.callId,
      toolName: result.name,
      output: toModelOutput(result.content.filter(isInside), result.outcome !== 'ok'),
    }),
  )
  if (content.length > 0) messages.push({ role: 'tool', content })
  const rest = mediaMessage(ordered, media)
  return rest ? [...messages, rest] : messages
}

/** The transcript as the model takes it. */
export function toPrompt(system: string, entries: readonly TranscriptEntry[], media: MediaUse): ModelMessage[] {
  const messages: ModelMessage[] = system === '' ? [] : [{ role: 'system', content: system }]
  let answer: AssistantEntry | undefined
  let results = new Map<string, ResultEntry>()
  const endAnswer = (): void => {
    if (answer) messages.push(...answerMessages(answer, results, media))
    answer = undefined
    results = new Map()
  }
  for (const entry of entries) {
    if (entry.type === 'result') results.set(entry.callId, entry)
    if (entry.type !== 'user' && entry.type !== 'assistant') continue
    endAnswer()
    if (entry.type === 'assistant') answer = entry
    else messages.push({ role: 'user', content: entry.content.map(userPart) })
  }
  endAnswer()
  return messages
}
