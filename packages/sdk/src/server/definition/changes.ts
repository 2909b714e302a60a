import type { DetailedTask } from '../../model/tasks.ts'
import type { Visible } from '../access/visibility.ts'
import type { CallerState } from '../caller-state.ts'
import type { HandlerOwner } from './handler-owner.ts'
import type { Feature } from './offers.ts'

/** Something changed: one item of a list, the contents behind a URI, or a task. */
export type ServerChange =
  | { kind: 'list'; feature: Feature; key?: string; visible: Visible<never> | undefined; owner: HandlerOwner }
  | { kind: 'resource'; uri: string }
  /** The owner of a task (`ownerOf`), the session that it runs for if there is one, and its present state. */
  | { kind: 'task'; owner: string; session: CallerState | undefined; task: DetailedTask }

/** Gets changes; `own` is false for those of another process. */
export interface ChangeListener {
  changed(change: ServerChange, own: boolean): void
  /** Changes of other processes were missed, and nobody knows which. */
  missed?(): void
}
