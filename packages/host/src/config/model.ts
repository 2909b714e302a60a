import type { Problem } from './problem.ts'

/** The hosts whose files are known; `generic` is text of an unknown host. */
export type HostId =
  | 'tenon'
  | 'claude-code'
  | 'claude-desktop'
  | 'vscode'
  | 'cursor'
  | 'copilot'
  | 'windsurf'
  | 'cline'
  | 'codex'
  | 'opencode'
  | 'gemini'
  | 'lm-studio'
  | 'continue'
  | 'zed'
  | 'kiro'
  | 'crush'
  | 'goose'
  | 'fast-agent'
  | 'mcp-agent'
  | 'generic'

/** The owner of an entry: the organisation, the user in one project, the project, or the user everywhere. */
export type Scope = 'managed' | 'local' | 'project' | 'user'

/** The origin of an entry. */
export interface Source {
  host: HostId
  /** The host's name for people. */
  title: string
  scope: Scope
  /** Missing for text that came from no file. */
  file?: string
  /** The members that lead to the entry, from the top of the file. */
  path: readonly (string | number)[]
  /** The folder of the project that the entry belongs to. */
  folder?: string
}

/** A server that is started as a process. */
export interface StdioTransport {
  kind: 'stdio'
  command: string
  args: string[]
  env: Record<string, string>
  /** Names of variables that the server gets from the host's own environment. */
  envFromHost?: string[]
  cwd?: string
  /** A file with further variables; those of `env` win. */
  envFile?: string
}

/** A header whose value is in a variable of the environment. */
export interface HeaderFromEnv {
  variable: string
  /** Text before the value, such as `Bearer `. */
  prefix?: string
}

/** A server that is reached at a URL. */
export interface UrlTransport {
  kind: 'http' | 'sse' | 'websocket'
  url: string
  headers: Record<string, string>
  headersFromEnv?: Record<string, HeaderFromEnv>
  /** Variables that headers may refer to, besides those of the environment. */
  variables?: Record<string, string>
}

export type Transport = StdioTransport | UrlTransport

/** The authorization settings of an entry. */
export interface AuthHints {
  clientId?: string
  clientSecret?: string
  scopes?: string[]
  /** The port on which the authorization server's answer is awaited. */
  callbackPort?: number
  /** The URL of the authorization server's metadata. */
  metadataUrl?: string
  /** The resource that tokens are asked for. */
  resource?: string
}

/** Which tools of a server are used: only those in `allow`, without those in `deny`. */
export interface ToolFilter {
  allow?: string[]
  deny?: string[]
}

/** Something that the user is asked for before a server is used, as VS Code has it. */
export interface InputDefinition {
  id: string
  type: 'promptString' | 'pickString' | 'command'
  description?: string
  default?: string
  /** Whether it is to be kept from view. */
  password?: boolean
  options?: string[]
}

/** One server of one config file, whichever host the file is for. Values are as written: `expand` fills in variables. */
export interface ServerEntry {
  name: string
  source: Source
  transport: Transport
  disabled?: boolean
  /** How long a call may take. */
  timeoutMs?: number
  /** How long starting may take. */
  startTimeoutMs?: number
  auth?: AuthHints
  tools?: ToolFilter
  /** The inputs that `${input:…}` in this entry refers to. */
  inputs?: InputDefinition[]
  /** The entry of the same name that is used instead of this one. */
  shadowedBy?: Source
  /** Members that were ignored or could not be taken over, with the reason. */
  problems: Problem[]
}
