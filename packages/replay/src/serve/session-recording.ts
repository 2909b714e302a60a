import { revisions } from '@tenon/sdk/client'
import type { Recording } from './recording.ts'
import type { RecordingKind } from './recording-kind.ts'

/** A recording that opens with a handshake. */
export const sessionRecording = (recording: Recording): RecordingKind => ({
  // A server answers an unknown version with its own.
  acceptsHandshake: (version) =>
    version === recording.about.revision || !(revisions as readonly unknown[]).includes(version),
  acceptsEnvelopes: false,
  discoverResult: () => undefined,
  introduction: () => recording.resultOf('initialize')!,
})
