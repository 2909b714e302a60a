import type { JsonObject } from '@tenon/sdk/client'
import type { GatewayCaller, GatewayItem } from '../model.ts'

/** A request that waits for a person, or that a person decided. */
export interface Approval {
  readonly id: string
  readonly caller: Pick<GatewayCaller, 'id' | 'name'>
  readonly server: string
  readonly item: Pick<GatewayItem, 'kind' | 'upstream' | 'name'>
  /** The arguments with secrets masked; the decision is for the exact ones. */
  readonly args: JsonObject
  /** The rule that wants it. */
  readonly rule: string
  readonly state: 'waiting' | 'approved' | 'denied'
  /** ISO 8601. */
  readonly askedAt: string
  readonly expiresAt: string
  readonly decidedBy?: string
  readonly decidedAt?: string
}

/** How people are asked. */
export interface ApprovalSettings {
  /** `client`: the person at the client, by elicitation. `queue`: anybody with access to the queue. In this order. */
  readonly by: readonly ('client' | 'queue')[]
  /** How long a question and its answer count. */
  readonly expiresAfterMs: number
  /** How long a request waits for an answer in the queue, before the caller is told to try again. */
  readonly waitMs: number
  /** Whether callers may approve their own requests in the queue. */
  readonly allowOwn: boolean
  /** The requests of one caller that may wait at the same time. */
  readonly maxPerCaller: number
}

export const defaultApprovals: ApprovalSettings = {
  by: ['client', 'queue'],
  expiresAfterMs: 15 * 60_000,
  waitMs: 30_000,
  allowOwn: false,
  maxPerCaller: 20,
}
