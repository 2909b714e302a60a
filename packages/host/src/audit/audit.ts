import type { JsonObject } from '@tenon/sdk/client'

/** Something that was decided or done. */
export interface AuditEvent {
  /** The kind, such as `call`, `result`, `trust`, `sample`. */
  readonly type: string
  readonly server?: string
  /** The tool, prompt or URI. */
  readonly name?: string
  readonly callId?: string
  readonly verdict?: string
  /** The person, or the rule that decided. */
  readonly by?: string
  readonly args?: JsonObject
  readonly [detail: string]: unknown
}

/** Takes note of decisions and results. */
export interface Audit {
  record(event: AuditEvent): void
  close(): Promise<void>
}
