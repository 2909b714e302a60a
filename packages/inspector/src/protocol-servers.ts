import type { Implementation, LoggingLevel, Revision, RevisionFacts, Root, ServerCapabilities } from '@tenon/sdk/client'
import type { Problem } from './protocol.ts'
import type { ClientFeature } from './servers/client-features.ts'

/** How the workbench presents itself to a server. */
export interface ClientSpec {
  /** The host that it stands in for, by the name of its preset. */
  host?: string
  name?: string
  version?: string
  /** Features that are not offered to the server. */
  without?: ClientFeature[]
}

interface SharedSpec {
  /** The name that the person gave it. */
  name: string
  /** Nobody gave it a name: the one that the server says takes its place once it is connected, with a number if another has it. */
  autoName?: boolean
  /** Speaks only this revision; the newest that both sides know otherwise. */
  revision?: Revision
  /** The conversation that is tried first; see `ConnectOptions.prefer`. */
  prefer?: 'newest' | 'session'
  client?: ClientSpec
  roots?: Root[]
  /** Silence longer than this fails a call. */
  timeoutMs?: number
  /** The bytes of one message of the server; by default 16 MiB. */
  maxMessageBytes?: number
}

/** A server to be started as a process. */
export interface CommandSpec extends SharedSpec {
  kind: 'command'
  command: string
  args?: string[]
  /** Values are secrets: the page sees `hidden` instead, and sends it back to keep the value. */
  env?: { [name: string]: string }
  cwd?: string
}

/** A server at an http, https, ws or wss URL. */
export interface UrlSpec extends SharedSpec {
  kind: 'url'
  url: string
  /** Values are secrets, as those of `env`. */
  headers?: { [name: string]: string }
  /** Whether OAuth answers a server that asks for credentials; by default unless there is a header `Authorization`. */
  oauth?: boolean | OAuthSpec
  /** The http or https URL of a proxy that requests to the server go through. */
  proxy?: string
  /** A file with the certificate of an authority that is trusted besides the usual ones. */
  ca?: string
}

/** A client that the authorization server already knows, and its scopes. */
export interface OAuthSpec {
  clientId?: string
  clientSecret?: string
  scopes?: string[]
}

/** A recorded session that is served again. */
export interface SessionSpec extends SharedSpec {
  kind: 'session'
  session: string
}

/** How to reach a server. */
export type ServerSpec = CommandSpec | UrlSpec | SessionSpec

/** Stands for a secret that is kept in the backend. */
export const hidden = '••••••••'

export type ServerStatus = 'idle' | 'connecting' | 'connected' | 'failed' | 'closed'

/** A server as the page sees it: no secrets. */
export interface ServerView {
  id: string
  spec: ServerSpec
  status: ServerStatus
  /** Since when it has this status; epoch milliseconds. */
  since: number
  /** Why it failed or closed. */
  problem?: Problem
  info?: Implementation
  revision?: Revision
  /** How that revision works. */
  facts?: RevisionFacts
  capabilities?: ServerCapabilities
  instructions?: string
  /** How long connecting took. */
  connectMs?: number
  pingMs?: number
  /** The stream for messages that a server of 2025 sends first, if there is one. */
  stream?: 'open' | 'waiting' | 'none' | 'closed'
  logLevel?: LoggingLevel
  /** When the server last asked for the roots; epoch milliseconds. */
  rootsAskedAt?: number
  /** The resources whose changes the server announces. */
  watched: string[]
  /** Whether it will be there when the workbench is started again. */
  kept?: boolean
  /** Whether it is then connected at once. */
  atStart?: boolean
  /** Secrets that it had and that are not known any more: it cannot be connected before they are given. */
  missing?: string[]
}

/** The entry of a server in the file of a host. */
export interface HostSnippet {
  host: string
  /** The name of the host for people. */
  title: string
  /** Missing if the host cannot reach such a server. */
  text?: string
  /** Parts that the host cannot express, with the reasons. */
  lost: string[]
  /** Opens the host, which asks and installs the server; if the host has such links. */
  link?: {
    url: string
    /** A badge for a README. */
    markdown: string
  }
}

/** A line that a server process wrote to standard error. */
export interface StderrLine {
  at: number
  text: string
}

/** Something that a server logged. */
export interface LogLine {
  /** Counts the messages of a server, so that none is shown twice. */
  number: number
  at: number
  /** One of the eight that the protocol has, if the server keeps to it. */
  level: string
  logger?: string
  data: unknown
}
