import type { ProviderData } from '../../models/language-model.ts'
import { ChatError } from '../chat-error.ts'
import type { CallOutcome } from '../events.ts'
import type { TokenUsage } from '../usage.ts'

export interface ChatTextPart {
  type: 'text'
  text: string
  provider?: ProviderData
}

/** A picture, sound or document. */
export interface ChatMediaPart {
  type: 'media'
  /** Base64. */
  data: string
  mediaType: string
}

export interface ChatReasoningPart {
  type: 'reasoning'
  text: string
  provider?: ProviderData
}

export interface ChatCallPart {
  type: 'call'
  callId: string
  name: string
  arguments: { [name: string]: unknown }
  provider?: ProviderData
}

export type UserPart = ChatTextPart | ChatMediaPart
export type AssistantPart = ChatTextPart | ChatReasoningPart | ChatMediaPart | ChatCallPart

export interface UserEntry {
  type: 'user'
  content: UserPart[]
}

export interface AssistantEntry {
  type: 'assistant'
  /** `provider/model`, as the provider names them. */
  model: string
  content: AssistantPart[]
  finish: string
  usage: TokenUsage
}

/** A call was begun. Without a result after it nobody knows whether it had an effect. */
export interface CallEntry {
  type: 'call'
  callId: string
}

export interface ResultEntry {
  type: 'result'
  callId: string
  name: string
  outcome: CallOutcome
  /** As the model sees it. */
  content: UserPart[]
  /** Tools that a search found: their definitions are sent from here on. */
  found?: string[]
  /** Resources that the server of the tool linked to. */
  links?: { server: string; uri: string }[]
}

/** The whole text of a result that was too large for the model. */
export interface SpillEntry {
  type: 'spill'
  id: string
  /** The server and the tool that the text comes from. */
  server: string
  tool: string
  text: string
}

export type TranscriptEntry = UserEntry | AssistantEntry | CallEntry | ResultEntry | SpillEntry

/** Everything that was said, in order. A conversation with the same transcript goes on where the last one ended. */
export interface Transcript {
  readonly entries: readonly TranscriptEntry[]
  /** Resolves when the entry is kept. */
  append(entry: TranscriptEntry): Promise<void>
}

/** The first line of a file, and the member `version` of the JSON form. */
export const transcriptHeader = { type: 'tenon-transcript', version: 1 } as const

const isObject = (value: unknown): value is { [name: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const invalid = (message: string): ChatError => new ChatError('transcript_invalid', message)

export function assertHeader(value: unknown, source: string): void {
  if (!isObject(value) || value.type !== transcriptHeader.type) {
    throw invalid(`${source} is no transcript: expected a first entry of type "${transcriptHeader.type}"`)
  }
  if (value.version !== transcriptHeader.version) {
    const found = JSON.stringify(value.version)
    throw invalid(`${source}: expected a transcript of version ${transcriptHeader.version}, found version ${found}`)
  }
}

/** The members of each kind of entry, and of each kind of part, that are texts. */
const entryTexts: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['user', []],
  ['assistant', ['model']],
  ['call', ['callId']],
  ['result', ['callId', 'name']],
  ['spill', ['id', 'text', 'server', 'tool']],
])
const partTexts: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['text', ['text']],
  ['reasoning', ['text']],
  ['media', ['data', 'mediaType']],
  ['call', ['callId', 'name']],
])
const assistantParts: ReadonlySet<unknown> = new Set(['reasoning', 'call'])

/** Checks everything that a conversation reads without looking: a file may come from anywhere. */
export function assertEntry(value: unknown, source: string): TranscriptEntry {
  const wrong = (expected: string): ChatError => invalid(`${source}: expected ${expected}`)
  if (!isObject(value) || !entryTexts.has(value.type))
    throw wrong(`an entry of type ${[...entryTexts.keys()].join(', ')}`)
  const { type, content, found = [], links = [] } = value
  const isText = (of: { [name: string]: unknown }, name: string): boolean => typeof of[name] === 'string'
  const missing = entryTexts.get(type)!.find((name) => !isText(value, name))
  if (missing !== undefined) throw wrong(`"${missing}" of a ${type} entry to be a string`)
  if (type === 'call' || type === 'spill') return value as unknown as TranscriptEntry
  const isPart = (part: unknown): boolean =>
    isObject(part) &&
    partTexts.get(part.type)?.every((name) => isText(part, name)) === true &&
    (type === 'assistant' || !assistantParts.has(part.type)) &&
    (part.type !== 'call' || isObject(part.arguments))
  if (!Array.isArray(content) || !content.every(isPart))
    throw wrong(`"content" of a ${type} entry to be a list of parts`)
  if (!Array.isArray(found) || !found.every((name) => typeof name === 'string')) {
    throw wrong(`"found" of a ${type} entry to be a list of strings`)
  }
  if (
    !Array.isArray(links) ||
    !links.every((link) => isObject(link) && isText(link, 'server') && isText(link, 'uri'))
  ) {
    throw wrong(`"links" of a ${type} entry to be a list of servers with URIs`)
  }
  return value as unknown as TranscriptEntry
}

/** A transcript in memory; `JSON.stringify` of it can be given back. */
export function createTranscript(saved?: unknown): Transcript & { toJSON(): unknown } {
  const entries: TranscriptEntry[] = []
  if (saved !== undefined) {
    assertHeader(saved, 'The saved value')
    const list = (saved as { entries?: unknown }).entries
    if (!Array.isArray(list)) throw invalid('The saved value: expected "entries" to be a list')
    for (const [index, entry] of list.entries()) entries.push(assertEntry(entry, `Entry ${index + 1}`))
  }
  return {
    entries,
    append: async (entry) => void entries.push(entry),
    toJSON: () => ({ ...transcriptHeader, entries }),
  }
}
