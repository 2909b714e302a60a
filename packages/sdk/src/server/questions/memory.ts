import type { JsonObject } from '../../jsonrpc/message.ts'

/** A question of an earlier run: its key, its print, its text, and its answer if there was one. */
export type AskedQuestion = [key: string, print: string, label: string, answer?: JsonObject]

/** The part of earlier runs that a request needs. It travels through the client, sealed, or is kept with a task. */
export interface Memory {
  asked: AskedQuestion[]
  steps: [string, unknown?][]
  /** The state that the handler itself wanted to get back. */
  own?: unknown
}
