import type { JsonObject } from '@tenon/sdk/client'
import type { Recording } from './recording.ts'
import { sessionRecording } from './session-recording.ts'
import { statelessRecording } from './stateless-recording.ts'

/** The differences between a recording that opens with a handshake and a stateless one. */
export interface RecordingKind {
  /** True if a client that opens with `initialize` for this version gets the recording as it is. */
  acceptsHandshake(protocolVersion: unknown): boolean
  /** True if a request that names the recorded revision for itself gets the recording as it is. */
  readonly acceptsEnvelopes: boolean
  /** The result of a `server/discover` that was not recorded, if there can be one. */
  discoverResult(): JsonObject | undefined
  /** The server's description of itself, for clients of other revisions. */
  introduction(): JsonObject
}

/** The kind of a recording: the only place that asks for it. */
export const recordingKind = (recording: Recording): RecordingKind =>
  recording.resultOf('initialize') === undefined ? statelessRecording(recording) : sessionRecording(recording)
