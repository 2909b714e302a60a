import type { WaitOptions } from '../jsonrpc/pending.ts'

/** How long an answer is waited for; by default for as long as whoever asked does, which the signal says. */
export type Patience = Pick<WaitOptions, 'signal' | 'timeoutMs'>

const forever = Number.MAX_SAFE_INTEGER

export const patient = (wait: Patience): WaitOptions => ({ timeoutMs: forever, maxTotalMs: forever, ...wait })
