import type { Call } from './call.ts'
import { replayOf } from './start-replay.ts'
import { Steps } from './steps.ts'

/** Does something once per request, however often its handler runs. */
export function once<T>(call: Call, key: string, step: () => T | Promise<T>): Promise<T> {
  if (call.round !== undefined) return replayOf(call, call.round).once(key, step)
  call.steps ??= new Steps()
  return call.steps.once(key, step)
}
