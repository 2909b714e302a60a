import type { Implementation } from '../../model/meta.ts'
import type { Visible } from '../access/visibility.ts'
import type { CallerState } from '../caller-state.ts'
import type { ServerLimits } from '../limits.ts'

/** The server that a handler belongs to: it makes the context, decides who sees the handler, and reports its errors. */
export interface HandlerOwner {
  readonly info: Implementation
  readonly options: { readonly limits?: ServerLimits; readonly backend?: object }
  /** The user context for a caller; made once per caller, by the server whose handlers get it. */
  contextFor(caller: CallerState): unknown
  /** Whether a caller may see an item. */
  sees(caller: CallerState, visible: Visible<never> | undefined): Promise<boolean>
  /** Tells the operator about an error; returns the id that the peer gets in its place. */
  report(error: unknown, during: string): string
}
