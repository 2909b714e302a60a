import type { Target } from '@tenon/sdk/client'
import { launch, type Program } from './program.ts'

/** Where connections to the server that is being developed come from. */
export interface Source {
  /** Makes the server of the files as they are now; who comes next gets that one. */
  renew(signal: AbortSignal): Promise<void>
  /** For somebody who stays, or only for a look. */
  target(stays: boolean): Target
  close(): Promise<void>
}

/** A server on standard input and output: every connection is a process. */
export const processSource = (program: Program): Source => ({
  renew: async () => {},
  target: (stays) => ({
    ...launch(program),
    inheritEnv: true,
    // One that crashes is there again for whoever is connected, unless it does nothing else.
    ...(stays && { restart: { maxAttempts: 2, backoffMs: 100, stableMs: 5_000 } }),
    closeTimeouts: { exitMs: 300, termMs: 700 },
  }),
  close: async () => {},
})
