import type { UpstreamOptions } from '@tenon/bridge'
import type { OpenApiOptions } from '@tenon/openapi'
import type { Revision, Target } from '@tenon/sdk/client'

/** The settings of every upstream, whatever its kind. */
export interface UpstreamSettings {
  /** Globs of the names and URIs that are taken; `tools:read_*` is for one kind. Default: all. */
  readonly include?: readonly string[]
  /** Globs of those that are left out, which goes before `include`. */
  readonly exclude?: readonly string[]
  /** How long a handshake or a list may take. Default 10 s. */
  readonly timeoutMs?: number
  /** Without this upstream, lists lack its items (`open`), or fail (`closed`). Default `open`. */
  readonly failure?: 'open' | 'closed'
  /** Connections at once. Default 100. */
  readonly maxConnections?: number
  /** After so many failures in a row nothing is sent to it for a while. */
  readonly breaker?: { readonly failures?: number; readonly restMs?: number }
  /** Asks it every so often whether it is there. Default: its state is that of the last request. */
  readonly health?: { readonly everyMs: number }
  /** For so long a list may be kept. Default: for as long as the upstream says, which most do not. */
  readonly cacheListsMs?: number
  /** The revisions to speak with it. Default: all. */
  readonly revisions?: readonly Revision[]
}

/** A program that speaks on its standard input and output. */
export interface ProgramUpstream extends UpstreamSettings {
  readonly command: string
  readonly args?: readonly string[]
  readonly env?: { readonly [name: string]: string }
  readonly cwd?: string
}

/** A server at a URL: HTTP of every revision, HTTP+SSE, WebSocket, or HTTP on a socket (`unix:///path#/mcp`). */
export interface UrlUpstream extends UpstreamSettings {
  readonly url: string
  readonly headers?: { readonly [name: string]: string }
}

/** A socket on which messages are lines. */
export interface SocketUpstream extends UpstreamSettings {
  readonly socket: string
}

/** A module that exports a server. */
export interface ModuleUpstream extends UpstreamSettings {
  readonly module: string
  /** The name of the export. Default: `default`, or else `server`. */
  readonly export?: string
}

/** A service that an OpenAPI document describes. */
export interface OpenApiUpstream
  extends UpstreamSettings,
    Pick<OpenApiOptions, 'baseUrl' | 'headers' | 'maxAnswerBytes'> {
  /** A file or a URL. */
  readonly openapi: string
  /** A secret for each security scheme of the document. */
  readonly credentials?: { readonly [scheme: string]: string }
}

/** Anything that `connect` takes: for gateways in a program. */
export interface TargetUpstream extends UpstreamSettings {
  readonly target: Target
  readonly connect?: UpstreamOptions
}

export type UpstreamConfig =
  | ProgramUpstream
  | UrlUpstream
  | SocketUpstream
  | ModuleUpstream
  | OpenApiUpstream
  | TargetUpstream

/** The part of an upstream that a virtual server shows. */
export interface MemberConfig {
  readonly include?: readonly string[]
  readonly exclude?: readonly string[]
  /** Before the names of its tools and prompts. Default: the name of the upstream and `__`. */
  readonly prefix?: string
  /** Other names for tools and prompts, by the names that the upstream has for them. No prefix is added. */
  readonly rename?: { readonly [name: string]: string }
}

/** A server that is made of upstreams. */
export interface VirtualServerConfig {
  readonly title?: string
  /** For models, before the instructions of the upstreams. */
  readonly instructions?: string
  /** The upstreams, and what is taken of each. Default: all of all. */
  readonly upstreams?: { readonly [name: string]: MemberConfig | null }
  /** Lists two tools instead of all: `find_tools` and `call_tool`. Default false. */
  readonly search?: boolean
}

/** Where the gateway listens. */
export interface ListenConfig {
  /** The address by which clients and browsers know the gateway, without a path. Tokens are for it, and accounts need it. */
  readonly url?: string
  readonly host?: string
  readonly port?: number
  readonly allowedHosts?: readonly string[] | '*'
  readonly allowedOrigins?: readonly string[] | '*'
}

/** Where the people who run the gateway are answered. It is taken at the start. */
export interface OperatorConfig {
  readonly host?: string
  readonly port?: number
  /** At least 32 characters. Whoever has it may do everything that the API can. */
  readonly token: string
}

/** Everything that a gateway is made of. */
export interface GatewayConfig {
  readonly listen?: ListenConfig
  readonly operator?: OperatorConfig
  readonly upstreams: { readonly [name: string]: UpstreamConfig }
  /** The virtual servers; `all` is the one at `/mcp`, and has everything unless it is named here. */
  readonly servers?: { readonly [name: string]: VirtualServerConfig }
}

/** The name of the virtual server at `/mcp`. */
export const allServers = 'all'
