import type { WaitOptions } from '../jsonrpc/pending.ts'

/** How long an answer is waited for; by default for as long as whoever asked does, which the signal says. */
export type WaitLimits = Pick<WaitOptions, 'signal' | 'timeoutMs'>

const forever = Number.MAX_SAFE_INTEGER

export const withoutTimeout = (wait: WaitLimits): WaitOptions => ({ timeoutMs: forever, maxTotalMs: forever, ...wait })
