import type { RowKind, RowStatus } from '../protocol-timeline.ts'

const kinds: readonly RowKind[] = ['request', 'notification', 'result', 'error', 'http', 'refused', 'stderr', 'note']
const statuses: readonly RowStatus[] = ['ok', 'error', 'asks', 'pending', 'refused', 'cancelled', 'lost']

/** A key of the query language, as people are told of it. */
interface QueryKey {
  key: string
  about: string
  /** The only values that it takes. */
  choices?: readonly string[]
  /** Values to begin with. */
  examples?: readonly string[]
}

/** The keys of the query language, the most used ones first. */
export const queryKeys: readonly QueryKey[] = [
  { key: 'server', about: 'name of the server' },
  { key: 'method', about: 'method, or all below: tools/*', examples: ['tools/*', 'tools/call', 'notifications/*'] },
  { key: 'status', about: 'how it ended', choices: statuses },
  { key: 'kind', about: 'kind of message', choices: kinds },
  { key: 'name', about: 'tool, prompt or resource' },
  { key: 'from', about: 'sender', choices: ['client', 'server'] },
  { key: 'duration', about: 'time until the answer', examples: ['>100ms', '>1s', '<10ms'] },
  { key: 'size', about: 'length', examples: ['>10kb', '>1mb'] },
  { key: 'code', about: 'code of an error', examples: ['-32602', '-32601', '-32603'] },
  { key: 'id', about: 'id of the request' },
  { key: 'of', about: 'row and all that belongs to it' },
  { key: 'trace', about: 'beginning of the trace id' },
]

export const choicesOf = (key: string): readonly string[] => queryKeys.find((known) => known.key === key)?.choices ?? []
