import { bytes, integer, runProgram, toggle } from '@tenon/server-kit'
import { createSequentialThinkingServer, defaultSettings } from './sequential-thinking-server.ts'
import { version } from './version.ts'

await runProgram({
  name: 'tenon-sequential-thinking',
  version,
  summary: 'Thinking in steps, with revisions and branches that can be read again; each client sees its own.',
  settings: {
    disableThoughtLogging: toggle('Do not write thoughts to standard error', { env: 'DISABLE_THOUGHT_LOGGING' }),
    maxThoughts: integer('Thoughts of one chain', { min: 1, default: defaultSettings.maxThoughts }),
    maxChainSize: bytes('Size of one chain', { default: defaultSettings.maxChainSize }),
    maxTotalSize: bytes('Size of all chains; the longest unused one is forgotten', {
      default: defaultSettings.maxTotalSize,
    }),
    maxChains: integer('Chains of one user; the longest unused one is forgotten', {
      min: 1,
      default: defaultSettings.maxChains,
    }),
  },
  open: (settings) => ({ server: createSequentialThinkingServer({ settings }) }),
})
