import type { IncomingMessage, ServerResponse } from 'node:http'
import type { JsonObject } from '@tenon/sdk/client'
import type { Authenticate } from '@tenon/sdk/node'
import type { AuthInfo } from '@tenon/sdk/server'
import type { ApprovalQueue } from '../approvals/approval-queue.ts'
import type { AuditPlace } from '../audit/search-audit.ts'
import type { CallerBook } from '../identity/caller-book.ts'
import type { CredentialSource, Gatekeeper, GatewayCaller } from '../model.ts'
import type { Pins } from '../pins/pins.ts'
import type { SharedState } from '../sharing/shared-state.ts'
import type { GatewayConfig } from './model.ts'

/** The parts of a gateway that sections of its configuration provide. */
export interface GatewayParts {
  /** Decides what is listed and done. Default: everything. */
  readonly gatekeeper?: Gatekeeper
  /** Chooses the credentials for upstreams. Default: those of the configuration, for everybody. */
  readonly credentials?: CredentialSource
  /** Authenticates callers over HTTP. Default: nobody has to prove anything. */
  readonly auth?: Authenticate
  /** Finds the caller in the authentication of a request. Default: its member `caller`, or one made of its principal. */
  readonly callerOf?: (auth: AuthInfo | undefined) => GatewayCaller
  /** The state that other gateways of the same configuration share. Default: this one is alone. */
  readonly shared?: Pick<SharedState, 'stateKeys' | 'httpFor' | 'ready'>
  /** Whether a path belongs to pages of the parts, such as that of accounts; `handle` answers them. */
  handles?(path: string): boolean
  handle?(request: IncomingMessage, response: ServerResponse): Promise<void>
  /** The callers that the configuration can have. Default: this machine. */
  readonly callers?: CallerBook
  /** For operators: the requests that wait for a person, the definitions that do, and the log. */
  readonly approvals?: ApprovalQueue
  readonly pins?: Pins
  readonly audit?: AuditPlace
  /** Ends what the parts have open, once another configuration is in use or the gateway closes. */
  close?(): Promise<void>
}

/** What a section knows about the file that it is in. */
export interface SectionContext {
  /** Relative paths begin here. */
  readonly folder: string
  /** Says that something is wrong; the path begins inside the section. The configuration is then refused. */
  tell(path: readonly (string | number)[], message: string): void
}

/** What a section knows when it makes its parts. */
export interface PartsContext extends Pick<SectionContext, 'folder'> {
  readonly config: GatewayConfig
  /** The settings of another section; undefined if the file has none. */
  settingsOf(section: string): unknown
}

/** A part of the file that another part of the gateway reads: `identity`, `policy`. */
export interface ConfigSection<Settings = unknown> {
  /** The member at the top of the file. */
  readonly name: string
  /** The JSON Schema of its value, for checks and for editors. */
  readonly schema: JsonObject
  /** The section fills in variables itself, such as those of a keychain: `parse` gets its texts as they are written. */
  readonly fillsIn?: boolean
  /** Reads a value that fits the schema; variables are filled in. It finds the faults that no schema finds. */
  parse(value: unknown, context: SectionContext): Settings
  /** The parts that it makes of the settings; undefined if the file has no such section. */
  parts?(settings: Settings | undefined, context: PartsContext): Promise<GatewayParts>
}
