import type {
  AssistantEntry,
  ChatCallPart,
  ResultEntry,
  SpillEntry,
  Transcript,
  TranscriptEntry,
} from './transcript.ts'

/** A transcript with the things that follow from it. Only `record` changes them. */
export interface Conversation {
  readonly entries: readonly TranscriptEntry[]
  /** The ids of all calls: a model that repeats one gets another. */
  readonly callIds: ReadonlySet<string>
  /** The tools that searches have found. */
  readonly found: ReadonlySet<string>
  readonly spills: ReadonlyMap<string, SpillEntry>
  /** Bytes of all kept results. */
  readonly spilledBytes: number
  newSpillId(): string
  hasLink(server: string, uri: string): boolean
  readonly hasLinks: boolean
  /** Calls of the last answer that have no result. */
  openCalls(): { call: ChatCallPart; begun: boolean }[]
  record(entry: TranscriptEntry): Promise<void>
}

export const callsOf = ({ content }: AssistantEntry): ChatCallPart[] => content.filter((part) => part.type === 'call')

/** The text of an answer. */
export const textOf = ({ content }: { content: readonly { type: string; text?: string }[] }): string =>
  content.map((part) => (part.type === 'text' ? part.text : '')).join('')

export function createConversation(transcript: Transcript): Conversation {
  const callIds = new Set<string>()
  const found = new Set<string>()
  const links = new Set<string>()
  const spills = new Map<string, SpillEntry>()
  let spilledBytes = 0
  let lastSpill = 0
  const linkKey = (server: string, uri: string): string => JSON.stringify([server, uri])

  const noteResult = (result: ResultEntry): void => {
    for (const name of result.found ?? []) found.add(name)
    for (const { server, uri } of result.links ?? []) links.add(linkKey(server, uri))
  }
  const note = (entry: TranscriptEntry): void => {
    if (entry.type === 'assistant') for (const { callId } of callsOf(entry)) callIds.add(callId)
    else if (entry.type === 'result') noteResult(entry)
    else if (entry.type === 'spill') {
      spills.set(entry.id, entry)
      spilledBytes += Buffer.byteLength(entry.text)
    }
  }
  for (const entry of transcript.entries) note(entry)
  lastSpill = spills.size

  return {
    entries: transcript.entries,
    callIds,
    found,
    spills,
    get spilledBytes() {
      return spilledBytes
    },
    newSpillId: () => `result-${++lastSpill}`,
    hasLink: (server, uri) => links.has(linkKey(server, uri)),
    get hasLinks() {
      return links.size > 0
    },
    openCalls() {
      const begin = transcript.entries.findLastIndex(({ type }) => type === 'assistant')
      const last = transcript.entries[begin]
      if (last?.type !== 'assistant') return []
      const after = transcript.entries.slice(begin + 1)
      const has = (type: 'call' | 'result', id: string): boolean =>
        after.some((entry) => entry.type === type && entry.callId === id)
      return callsOf(last)
        .filter(({ callId }) => !has('result', callId))
        .map((call) => ({ call, begun: has('call', call.callId) }))
    },
    async record(entry) {
      await transcript.append(entry)
      note(entry)
    },
  }
}
