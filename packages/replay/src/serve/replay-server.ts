import type { Channel, Payload, Revision } from '@tenon/sdk/client'
import type { ConnectionInfo, Server, ServerConnection } from '@tenon/sdk/server'
import { isObject } from '../json/is-object.ts'
import type { Session } from '../session/format.ts'
import { serveByFirstMessage } from './first-message.ts'
import { Recording } from './recording.ts'
import { ReplayConnection } from './replay-connection.ts'
import { type AnswerNote, ReplayNotes, type UnknownNote } from './replay-notes.ts'
import { translatingServer } from './translating-server.ts'
import { isRequest } from './turns.ts'

export interface ReplayOptions {
  /** How long answers take: not at all (the default), as long as they took, or that many times faster. */
  timing?: 'none' | 'recorded' | number
  /**
   * The revisions to speak. Default: the recorded one with clients that speak it, and the others with other clients.
   */
  revisions?: readonly Revision[]
}

/** The report of a replay. */
export interface ReplayReport {
  answers: number
  /** Requests that were not recorded. */
  unknownRequests: readonly UnknownNote[]
  /** Responses of the client that differ from the recorded ones. */
  otherAnswers: readonly AnswerNote[]
}

/** A recorded session that is served again. A target for `connect`, like a server. */
export interface ReplayServer {
  readonly name: string
  readonly version: string
  readonly revision: string
  /** Serves one client. In the recorded revision it gets the recorded messages, byte for byte except for ids. */
  connect(channel: Channel, info?: ConnectionInfo): ServerConnection
  /**
   * The same for `serveHttp` and other functions that take a server: every result is translated into the client's
   * revision.
   */
  readonly server: Server
  readonly report: ReplayReport
}

/**
 * Serves a recorded session: the same requests get the same answers.
 *
 * @example
 * const replay = replayServer(await readSessionFile('session.jsonl'))
 * await using client = await connect(replay)
 */
export function replayServer(session: Session, options: ReplayOptions = {}): ReplayServer {
  const recording = new Recording(session)
  const notes = new ReplayNotes()
  const pause = pauseOf(options.timing ?? 'none')
  const { revisions: allowed } = options
  let server: Server | undefined
  const translated = (): Server => {
    server ??= translatingServer({ recording, notes, pause, ...(allowed && { revisions: allowed }) })
    return server
  }
  const isRecorded = (first: unknown): boolean => speaksRecorded(first, recording, allowed)
  const { name = 'recording', version = '0' } = recording.about.server ?? {}
  return {
    name,
    version,
    revision: recording.about.revision,
    get server() {
      return translated()
    },
    report: reportOf(notes),
    connect: (channel, info = { transport: 'channel' }) =>
      serveByFirstMessage(channel, (first, own) => {
        if (!isRecorded(first)) return translated().connect(own, info)
        const connection = new ReplayConnection(own, recording, notes, { pause })
        own.open(connection)
        return {
          caller: undefined,
          closed: connection.closedReason,
          ping: async () => {},
          close: () => connection.close(),
          [Symbol.asyncDispose]: () => connection.close(),
        }
      }),
  }
}

const reportOf = (notes: ReplayNotes): ReplayReport => ({
  get answers() {
    return notes.answers
  },
  unknownRequests: notes.unknownRequests,
  otherAnswers: notes.otherAnswers,
})

function pauseOf(timing: NonNullable<ReplayOptions['timing']>): (sinceMs: number) => number {
  if (timing === 'none') return () => 0
  const speed = timing === 'recorded' ? 1 : timing
  if (!(speed > 0)) throw new RangeError(`timing: expected "none", "recorded" or a number above 0, got ${timing}`)
  // A recording may contain a pause of a night.
  return (sinceMs) => Math.min(sinceMs / speed, 600_000)
}

const versionKey = 'io.modelcontextprotocol/protocolVersion'

/** True if a client with this first message can get the recording as it is. */
function speaksRecorded(first: unknown, recording: Recording, allowed: readonly Revision[] | undefined): boolean {
  const { revision } = recording.about
  if (allowed !== undefined && !(allowed.length === 1 && allowed[0] === revision)) return false
  const [message] = [first as Payload].flat()
  if (!isObject(message) || !isRequest(message)) return true
  const { method, params } = message
  if (method === 'initialize') return recording.kind.acceptsHandshake(params?.protocolVersion)
  const named = isObject(params?._meta) ? params._meta[versionKey] : undefined
  if (named === undefined) return true
  if (named === revision) return recording.kind.acceptsEnvelopes
  // The recorded client may have tried a newer revision too, before it used this one.
  return recording.find(method, params) !== undefined
}
