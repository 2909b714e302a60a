import type { JsonObject } from '@tenon/sdk/client'
import type { Recording } from './recording.ts'
import type { RecordingKind } from './recording-kind.ts'

/** A recording without a handshake: every request names the revision for itself. */
export const statelessRecording = (recording: Recording): RecordingKind => ({
  acceptsHandshake: () => false,
  acceptsEnvelopes: true,
  discoverResult: () => discovered(recording),
  introduction: () => ({ ...discovered(recording), ...recording.resultOf('server/discover') }),
})

/** The recorded client may have known its server already; the client of the replay may discover it. */
function discovered(recording: Recording): JsonObject {
  const { revision, server } = recording.about
  const feature = (name: string): JsonObject => (recording.offers(`${name}/`) ? { [name]: {} } : {})
  return {
    resultType: 'complete',
    supportedVersions: [revision],
    capabilities: {
      ...feature('tools'),
      ...feature('resources'),
      ...feature('prompts'),
      ...(recording.has('completion/complete') && { completions: {} }),
    },
    ttlMs: 0,
    cacheScope: 'private',
    ...(server && { _meta: { 'io.modelcontextprotocol/serverInfo': server } }),
  }
}
