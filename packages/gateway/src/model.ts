import type { JsonObject } from '@tenon/sdk/client'
import type { ItemExplanation } from './policy/types.ts'

/** The person or program that calls, as its credentials showed. It has none of the credentials themselves. */
export interface GatewayCaller {
  /** Unique in the gateway, and the same for the same person: `issuer|subject`, `key:NAME`, `cert:NAME`, `local`. */
  readonly id: string
  readonly kind: 'token' | 'key' | 'certificate' | 'local'
  /** For people: a name or an address, if the credentials have one. */
  readonly name?: string
  readonly issuer?: string
  readonly scopes: readonly string[]
  readonly groups: readonly string[]
  /** The claims of a token that rules may use. */
  readonly claims: JsonObject
}

/** Something that an upstream offers. */
export interface GatewayItem {
  readonly kind: 'tool' | 'prompt' | 'resource' | 'template'
  /** The name of the upstream in the configuration. */
  readonly upstream: string
  /** The name, URI or URI template, as the upstream has it. */
  readonly name: string
  /** The definition as the upstream listed it; undefined for a resource that it did not list. */
  readonly definition: JsonObject | undefined
}

/** A request of a caller for an item: a call of a tool, a prompt, a read, a subscription, a completion. */
export interface GatewayRequest {
  /** Unique, also in the audit log. */
  readonly id: string
  readonly caller: GatewayCaller
  /** The virtual server that it came through. */
  readonly server: string
  readonly method: string
  readonly item: GatewayItem
  /** The name that the caller used, where it is not that of the item: an error names this one. */
  readonly askedFor?: string
  /** The arguments of the tool or prompt; empty for resources. */
  readonly args: JsonObject
  readonly signal: AbortSignal
  /** Asks the person at the client, in every revision; undefined if the client cannot be asked. */
  readonly elicit:
    | ((message: string, schema: JsonObject) => Promise<{ action: string; content?: JsonObject }>)
    | undefined
}

/** How a request ended. */
export type GatewayOutcome =
  | { readonly kind: 'result'; readonly result: JsonObject }
  | { readonly kind: 'error'; readonly error: unknown }

/** Decides what is listed and done. One function decides for lists and for calls. */
export interface Gatekeeper {
  /** Whether the caller sees the item. Called for each item of a list, so it waits for nothing. */
  isListed(caller: GatewayCaller, server: string, item: GatewayItem): boolean
  /**
   * As long as this is the same, `isListed` says the same about the same caller, server and item, so lists may be kept.
   * Undefined or missing: that depends on something else, such as the time.
   */
  readonly listRevision?: number | undefined
  /**
   * Lets a request through, with the arguments to use; throws an `RpcError` that the client gets otherwise. A denial is the
   * error of a name that does not exist. A guard may answer in place of the upstream.
   */
  admit(request: GatewayRequest): Promise<{ readonly args: JsonObject } | { readonly result: JsonObject }>
  /** Looks at the outcome, and returns the one that the client gets. Called once for every request, refused ones included. */
  finish(request: GatewayRequest, outcome: GatewayOutcome): Promise<GatewayOutcome>
  /** For operators: the decision about a request and its reasons, without making it; without arguments, about the list. */
  explain?(caller: GatewayCaller, server: string, item: GatewayItem, args?: JsonObject): ItemExplanation
}

/** The credentials for an upstream: headers for HTTP, variables for a program. */
export interface UpstreamCredentials {
  readonly headers?: { readonly [name: string]: string }
  readonly env?: { readonly [name: string]: string }
}

/** Chooses the credentials that an upstream gets for a caller. Nothing of the caller's own is passed through. */
export interface CredentialSource {
  credentialsFor(caller: GatewayCaller, upstream: string, signal: AbortSignal): Promise<UpstreamCredentials>
  /**
   * Called after an upstream refused them with 401, before one more attempt. With the credentials that were refused, several
   * requests that were refused at once lead to one renewal.
   */
  refused?(caller: GatewayCaller, upstream: string, used?: UpstreamCredentials): Promise<void>
}
