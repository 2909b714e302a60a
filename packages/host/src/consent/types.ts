import type { JsonObject, Tool } from '@tenon/sdk/client'
import type { Warning } from '../catalogue/warnings.ts'

/** A tool, resource or prompt of a server, as consent sees it. */
export interface ConsentItem {
  readonly kind: 'tool' | 'resource' | 'prompt'
  readonly server: string
  /** The name of the tool or prompt, or the URI of the resource, as the server has it. */
  readonly name: string
  readonly tool?: Tool
  /** Whether the hints of the server are believed. */
  readonly trusted: boolean
  /** Whether the server itself listed or linked this resource. */
  readonly known?: boolean
  readonly warnings: readonly Warning[]
  /** The hash of the server's entry: a remembered answer is not for another program of the same name. */
  readonly origin?: string | undefined
}

export type Verdict = 'allow' | 'ask' | 'deny'

/** A verdict, and the rule that led to it, for logs and questions. */
export interface Decision {
  readonly verdict: Verdict
  readonly rule: string
}

/** The facts of a decision besides the item. */
export interface ConsentInput {
  /** Undefined while listing: the question is then whether any arguments could be allowed. */
  readonly args: JsonObject | undefined
  /** The option `session` of the host. */
  readonly session: JsonObject
}

/**
 * Decides what may be done. The same function decides what is listed: then `args` is undefined, and only `deny` counts.
 * Undefined leaves the decision to the default of the host.
 */
export interface Consent {
  decide(item: ConsentItem, input: ConsentInput): Decision | undefined | Promise<Decision | undefined>
  /** Loads what the rules need, and refuses those that cannot work. */
  prepare?(): Promise<void>
}
