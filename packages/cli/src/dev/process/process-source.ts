import { launch, type Program } from './program.ts'
import type { ServerSource } from './server-source.ts'

/** A server on standard input and output: every connection is a process. */
export const processSource = (program: Program): ServerSource => ({
  renew: async () => {},
  target: (stays) => ({
    ...launch(program),
    inheritEnv: true,
    // A server that crashes is started again for its client, unless it crashes at once.
    ...(stays && { restart: { maxAttempts: 2, backoffMs: 100, stableMs: 5_000 } }),
    closeTimeouts: { exitMs: 300, termMs: 700 },
  }),
  close: async () => {},
})
