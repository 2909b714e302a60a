import type { JsonObject } from '../../jsonrpc/message.ts'
import type { WaitOptions } from '../../jsonrpc/pending.ts'
import type { Progress } from '../../model/progress.ts'
import { callListener, milliseconds } from '../options.ts'
import type { CallOptions } from '../types.ts'

/** How long a call waits for its answer. Exceptions of its progress listener go to `report`. */
export const waitOptions = (
  { signal, timeoutMs, maxTotalMs, onProgress }: CallOptions,
  report: (error: Error) => void,
): WaitOptions => ({
  ...(signal && { signal }),
  ...(timeoutMs !== undefined && { timeoutMs: milliseconds('timeoutMs', timeoutMs) }),
  ...(maxTotalMs !== undefined && { maxTotalMs: milliseconds('maxTotalMs', maxTotalMs) }),
  ...(onProgress && { onProgress: progressListener(onProgress, report) }),
})

/** A listener for the params of `notifications/progress`. */
export const progressListener =
  (onProgress: (progress: Progress) => void, report: (error: Error) => void) =>
  (params: JsonObject): void =>
    callListener(report, onProgress, toProgress(params))

function toProgress({ progress, total, message }: JsonObject): Progress {
  return { progress, ...(total !== undefined && { total }), ...(message !== undefined && { message }) } as Progress
}
