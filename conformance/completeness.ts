import { ErrorCode, type Revision } from '@tenon/sdk/server'
import { methodsOf } from '../packages/sdk/test/wire-schema.ts'
import type { Exchange } from './runner/conversation.ts'

/** Messages that no transcript of a channel shows, with the reason. This is the one place that excuses anything. */
const excused: readonly { method: RegExp; revisions?: readonly Revision[]; why: string }[] = [
  { method: /tasks/, why: 'tasks are not part of the core of the library' },
]

const isExcused = (method: string, revision: Revision): boolean =>
  excused.some((row) => row.method.test(method) && (row.revisions?.includes(revision) ?? true))

/** Each message of a revision: its sender and its kind. Input requests inside a result do not count. */
function expectedMessages(revision: Revision, kind: 'request' | 'notification'): string[] {
  return [...methodsOf(revision).values()]
    .filter((info) => info.kind === kind && info.jsonRpc && !isExcused(info.method, revision))
    .flatMap(({ method, senders }) => senders.map((sender) => `${sender}: ${method}`))
}

// In 2026-07-28 a server cancels nothing but open streams.
const unsent = new Set(['2026-07-28 server: notifications/cancelled'])

/** The messages that no transcript of the revision shows; requests count only if they got a result. */
export function missingMessages(revision: Revision, answered: Exchange[], notified: Exchange[]): string[] {
  const shown = new Set([...answered, ...notified].map(({ from, method }) => `${from}: ${method}`))
  const expected = [...expectedMessages(revision, 'request'), ...expectedMessages(revision, 'notification')]
  return expected.filter((message) => !shown.has(message) && !unsent.has(`${revision} ${message}`))
}

const everywhere = [
  ErrorCode.InvalidRequest,
  ErrorCode.MethodNotFound,
  ErrorCode.InvalidParams,
  ErrorCode.InternalError,
]

/**
 * The error codes that a server can send over a channel. A parse error has no id, so it can be sent only in revisions
 * with errors without one; -32020 is about HTTP headers.
 */
export const channelErrorCodes: Readonly<Record<Revision, readonly number[]>> = {
  '2024-11-05': [...everywhere, ErrorCode.ResourceNotFound],
  '2025-03-26': [...everywhere, ErrorCode.ResourceNotFound],
  '2025-06-18': [...everywhere, ErrorCode.ResourceNotFound],
  '2025-11-25': [...everywhere, ErrorCode.ParseError, ErrorCode.ResourceNotFound, ErrorCode.UrlElicitationRequired],
  '2026-07-28': [
    ...everywhere,
    ErrorCode.ParseError,
    ErrorCode.MissingRequiredClientCapability,
    ErrorCode.UnsupportedProtocolVersion,
  ],
}
