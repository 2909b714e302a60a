import type { ServerOptions } from '@tenon/sdk/server'
import type { Operation } from './document/operation.ts'
import type { Credentials } from './request/security.ts'
import type { OperationRules } from './rules.ts'

/** What a rule of names knows about an operation. */
export type OperationInfo = Pick<Operation, 'id' | 'method' | 'path' | 'tags' | 'summary'>

export interface OpenApiOptions extends OperationRules {
  /** The name of the server; otherwise it comes from the document's title. */
  readonly name?: string
  readonly version?: string
  /** The address of the service. The document's own may be missing, relative, or that of production. */
  readonly baseUrl?: string | URL
  /** Other names for tools, by the names that they have otherwise, or by a function. Undefined keeps the name. */
  readonly rename?:
    | { readonly [name: string]: string }
    | ((name: string, operation: OperationInfo) => string | undefined)
  /** Nothing of the MCP caller reaches the service but what is given here. */
  readonly credentials?: Credentials
  /** Sent with every request. */
  readonly headers?: { readonly [name: string]: string }
  readonly fetch?: typeof fetch
  /** Longest time for an answer of the service: 30 s. */
  readonly timeoutMs?: number
  /** Longest answer: 1 MiB. */
  readonly maxAnswerBytes?: number
  /** Further options of the server, such as `auth` rules, middleware or limits. */
  readonly server?: Partial<Omit<ServerOptions, 'name' | 'version' | 'tools'>>
}
