import type { CallOptions } from '@tenon/sdk/client'
import type { CommandCall } from '../command.ts'
import type { connectionOptions } from './options.ts'

/**
 * How long a call may take that the server can ask questions in. Whoever sits at the terminal types as fast as they can,
 * and has Ctrl-C.
 */
export const patience = ({
  options,
  terminal,
}: CommandCall<typeof connectionOptions>): Pick<CallOptions, 'timeoutMs' | 'maxTotalMs'> =>
  terminal.canAsk && options.timeout === undefined ? { timeoutMs: Infinity, maxTotalMs: Infinity } : {}
