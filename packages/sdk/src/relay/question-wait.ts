import type { WaitOptions } from '../jsonrpc/pending.ts'

/** How long to wait for an answer; by default until the signal fires. */
export type QuestionWait = Pick<WaitOptions, 'signal' | 'timeoutMs'>

const forever = Number.MAX_SAFE_INTEGER

export const withoutTimeout = (wait: QuestionWait): WaitOptions => ({
  timeoutMs: forever,
  maxTotalMs: forever,
  ...wait,
})
