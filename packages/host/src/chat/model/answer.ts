import type { ModelFinish, ModelStreamPart, ModelUsage, ProviderData } from '../../models/language-model.ts'
import { ChatError } from '../chat-error.ts'
import type { ReasoningEvent, TextEvent } from '../events.ts'
import type { ChatLimits } from '../limits.ts'
import type { ChatMediaPart, ChatReasoningPart, ChatTextPart } from '../transcript/transcript.ts'

/** A call as the model wrote it, before anything of it was checked. */
export interface WrittenCall {
  type: 'written-call'
  id: string
  name: string
  input: string
  provider?: ProviderData
}

type AnswerPart = ChatTextPart | ChatReasoningPart | ChatMediaPart | WrittenCall

/** An answer of the model while it arrives. */
export interface StreamedAnswer {
  readonly parts: readonly AnswerPart[]
  /** Undefined until the model has finished. */
  readonly finish: ModelFinish | undefined
  readonly usage: ModelUsage | undefined
  /** Takes a part of the stream. The event is for the user, if there is one. */
  take(part: ModelStreamPart): TextEvent | ReasoningEvent | undefined
}

const base64 = (data: string | Uint8Array): string =>
  typeof data === 'string' ? data : Buffer.from(data).toString('base64')

const byteLength = (value: unknown): number => (typeof value === 'string' ? Buffer.byteLength(value) : 0)

/** Puts the parts of a stream together. Blocks may be interleaved, so each has an id. */
export function createAnswer(limits: ChatLimits): StreamedAnswer {
  const parts: AnswerPart[] = []
  const open = new Map<string, ChatTextPart | ChatReasoningPart>()
  let bytes = 0
  let finish: ModelFinish | undefined
  let usage: ModelUsage | undefined

  const count = (size: number): void => {
    bytes += size
    if (bytes <= limits.maxAnswerBytes) return
    throw new ChatError('too_large', `The answer of the model has more than ${limits.maxAnswerBytes} bytes`)
  }

  const block = (type: 'text' | 'reasoning', id: string): ChatTextPart | ChatReasoningPart => {
    const key = `${type} ${id}`
    const known = open.get(key)
    if (known) return known
    const begun: ChatTextPart | ChatReasoningPart = { type, text: '' }
    // An empty block costs memory too.
    count(key.length)
    open.set(key, begun)
    parts.push(begun)
    return begun
  }
  const note = (target: { provider?: ProviderData }, provider: ProviderData | undefined): void => {
    if (!provider) return
    count(byteLength(JSON.stringify(provider)))
    target.provider = { ...target.provider, ...provider }
  }

  const takeBlock = (part: Extract<ModelStreamPart, { id: string }>, type: 'text' | 'reasoning') => {
    const target = block(type, part.id)
    note(target, part.providerMetadata)
    if (part.type === `${type}-end`) open.delete(`${type} ${part.id}`)
    if (!('delta' in part) || part.delta === '') return undefined
    count(byteLength(part.delta))
    target.text += part.delta
    return { type, text: part.delta } as TextEvent | ReasoningEvent
  }

  return {
    parts,
    get finish() {
      return finish
    },
    get usage() {
      return usage
    },
    take(part) {
      switch (part.type) {
        case 'text-start':
        case 'text-delta':
        case 'text-end':
          return takeBlock(part, 'text')
        case 'reasoning-start':
        case 'reasoning-delta':
        case 'reasoning-end':
          return takeBlock(part, 'reasoning')
        case 'tool-input-delta':
          count(byteLength(part.delta))
          return undefined
        case 'tool-call': {
          // Tools that the provider runs itself were never offered to it.
          if (part.providerExecuted) return undefined
          const call: WrittenCall = {
            type: 'written-call',
            id: String(part.toolCallId),
            name: String(part.toolName),
            input: String(part.input),
          }
          count(call.input.length + call.name.length + call.id.length)
          note(call, part.providerMetadata)
          parts.push(call)
          return undefined
        }
        case 'file': {
          const data = base64(part.data)
          count(data.length)
          parts.push({ type: 'media', data, mediaType: part.mediaType })
          return undefined
        }
        case 'finish':
          finish = part.finishReason
          usage = part.usage
          return undefined
        case 'error':
          throw part.error
        default:
          return undefined
      }
    },
  }
}
