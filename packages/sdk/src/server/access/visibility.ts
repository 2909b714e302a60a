import type { MaybePromise } from '../../internal/maybe-promise.ts'
import type { Caller } from '../caller.ts'

/** Decides whether a caller may see something. An exception counts as "no". */
export type Visible<App = unknown> = (caller: Caller, context: App) => MaybePromise<boolean>
