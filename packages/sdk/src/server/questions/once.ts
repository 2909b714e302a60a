import type { MaybePromise } from '../../internal/maybe-promise.ts'
import type { Call } from '../dispatch/call.ts'
import { replayOf } from '../stateless/request-state.ts'
import { OnceSteps } from './once-steps.ts'

/** Does something once per request, however often its handler runs. */
export function once<T>(call: Call, key: string, step: () => MaybePromise<T>): Promise<T> {
  if (call.round !== undefined) return replayOf(call, call.round).once(key, step)
  call.steps ??= new OnceSteps()
  return call.steps.once(key, step)
}
