import type { OptionTable } from '../line/options.ts'
import { targetOptions } from '../server/options.ts'

/** The options of `tenon dev`. */
export const devOptions = {
  port: {
    type: 'number',
    value: 'port',
    min: 0,
    max: 65_535,
    help: 'Listen here; otherwise at a port that stays the same for this file',
  },
  url: { type: 'text', value: 'url', help: 'The file listens by itself, at this address' },
  'no-stdio': { type: 'flag', help: 'Leave standard input alone, though it is not a terminal' },
  env: targetOptions.env,
  'env-file': targetOptions['env-file'],
} as const satisfies OptionTable
