import type { Pin } from '@tenon/host/parts'
import type { GatewayItem } from '../model.ts'

/** The kinds of items whose definitions reach a model. */
export type PinnedKind = Exclude<GatewayItem['kind'], 'resource'>

/** A definition that was approved. An item may have several, where an upstream shows people different ones. */
export interface ApprovedPin extends Pin {
  readonly upstream: string
  readonly kind: PinnedKind
  readonly name: string
  /** The person who approved it; `first use` if nobody did. */
  readonly by: string
  /** ISO 8601. */
  readonly at: string
}

/** Keeps approvals of definitions. */
export interface PinStore {
  read(): Promise<readonly ApprovedPin[]>
  /** With `isFirst`, only if the item has none yet. Resolves with all pins of the item. */
  add(pin: ApprovedPin, isFirst: boolean): Promise<readonly ApprovedPin[]>
  /** Removes the approvals of an item. */
  remove(item: Pick<ApprovedPin, 'upstream' | 'kind' | 'name'>): Promise<void>
}

/** The same text for the same item only. */
export const pinKey = ({ upstream, kind, name }: Pick<ApprovedPin, 'upstream' | 'kind' | 'name'>): string =>
  JSON.stringify([upstream, kind, name])
