import type { JsonObject } from '../../jsonrpc/message.ts'

/** A report of a handler on its way to the session that the task runs for. */
export interface TaskReport {
  readonly method: string
  readonly params: JsonObject
}

/** The same on its way between processes. */
export interface PassedReport extends TaskReport {
  readonly owner: string
  readonly id: string
}
