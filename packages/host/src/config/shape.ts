import type { AuthHints, HostId, Transport } from './model.ts'
import type { SyntaxName } from './variables.ts'

export type TransportKind = Transport['kind']
export type UrlKind = Exclude<TransportKind, 'stdio'>
type AuthMember = keyof AuthHints

/** A place in a file where entries are. */
export interface Root {
  path: readonly string[]
  /** Entries of a list name themselves with `name`; those of an object are named by their keys. */
  list?: boolean
  /** Entries are read here but written elsewhere. */
  readOnly?: boolean
}

/** A time limit and what it is counted in. */
export interface TimeMember {
  path: readonly string[]
  unit: 'ms' | 's'
  /** Where newer versions have it. */
  alsoAt?: readonly string[]
  /** It is read but not written. */
  readOnly?: boolean
}

/**
 * How a host writes an entry: the same table is read and written by. Where there are several names, the first is the
 * one that is written.
 */
export interface Shape {
  roots: readonly Root[]
  variables: SyntaxName
  /** The members in which variables are filled in; all by default. */
  variablesOnlyIn?: readonly string[]
  /** The member that says how a server is reached, and its words. `always`: it is written even where it is obvious. */
  type?: { names: readonly string[]; words: Partial<Record<TransportKind, readonly string[]>>; always?: boolean }
  command: readonly string[]
  /** The command and its arguments are one list. */
  commandIsList?: boolean
  /** A command line or a URL in one string. */
  target?: string
  args: string
  env: readonly string[]
  /** A list of names of variables that are taken over. */
  envFromHost?: string
  cwd?: string
  envFile?: string
  /** The members for the URL, and which kind each of them stands for; those not named cannot be written. */
  urls: readonly { name: string; kind: UrlKind; writes?: readonly UrlKind[] }[]
  headers: readonly (readonly string[])[]
  /** Header name to variable name. */
  headersFromEnv?: string
  /** The variable with the bearer token. */
  bearerFromEnv?: string
  /** The bearer token itself. */
  bearer?: readonly string[]
  /** Members that switch an entry on or off, and what they say when it is off. */
  switches?: readonly { name: string; off: boolean }[]
  timeout?: TimeMember
  startTimeout?: TimeMember
  allow?: string
  deny?: string
  auth?: Partial<Record<AuthMember, readonly string[]>>
  /** Where newer versions have it. */
  alsoAuth?: Partial<Record<AuthMember, readonly string[]>>
  /** Scopes are one string with spaces. */
  scopesAreText?: boolean
  /** Members that mean nothing here and need no word. */
  silent?: readonly string[]
  /** Members that matter to the host but not here, and why. */
  ignored?: Readonly<Record<string, string>>
  /** Members that name a program to run. */
  programs?: readonly string[]
  /** Entries repeat their name in this member. */
  ownName?: string
  /** Members without which the host does not take an entry. */
  constants?: Readonly<Record<string, unknown>>
}

const disabled = { name: 'disabled', off: true }
const enabled = { name: 'enabled', off: false }
const approvals = 'approvals are given where tools are called'
const answers = 'questions of servers are answered where the connection is made'
const sandbox = 'the sandbox is the host’s'

const standard: Shape = {
  roots: [{ path: ['mcpServers'] }],
  variables: 'none',
  command: ['command'],
  args: 'args',
  env: ['env'],
  urls: [{ name: 'url', kind: 'http', writes: ['http', 'sse', 'websocket'] }],
  headers: [['headers']],
  silent: ['name', 'description', 'title', 'icon', 'version', 'gallery', '$schema', 'metadata'],
}

const words = {
  stdio: ['stdio'],
  http: ['http', 'streamable-http', 'streamable_http', 'streamableHttp'],
  sse: ['sse'],
}

/** How each host writes entries. */
export const shapes: Readonly<Record<HostId, Shape>> = {
  generic: {
    ...standard,
    variables: 'any',
    roots: [{ path: ['mcpServers'] }, { path: ['servers'] }, { path: ['mcp', 'servers'] }],
    type: {
      names: ['type', 'transport', 'transportType'],
      words: {
        stdio: ['stdio', 'local'],
        http: [...words.http, 'remote'],
        sse: ['sse'],
        websocket: ['ws', 'websocket'],
      },
    },
    env: ['env', 'environment'],
    cwd: 'cwd',
    envFile: 'envFile',
    urls: [
      { name: 'url', kind: 'http', writes: ['http', 'sse', 'websocket'] },
      { name: 'serverUrl', kind: 'http' },
      { name: 'httpUrl', kind: 'http' },
      { name: 'uri', kind: 'http' },
    ],
    headers: [['headers'], ['requestInit', 'headers'], ['requestOptions', 'headers']],
    switches: [disabled, enabled],
    timeout: { path: ['timeout'], unit: 'ms' },
    allow: 'includeTools',
    deny: 'disabledTools',
    auth: { clientId: ['oauth', 'clientId'], clientSecret: ['oauth', 'clientSecret'], scopes: ['oauth', 'scopes'] },
    ignored: { autoApprove: approvals, alwaysAllow: approvals, trust: approvals },
    programs: ['headersHelper'],
  },
  // Servers at URLs are added in the application's settings instead.
  'claude-desktop': { ...standard, urls: [{ name: 'url', kind: 'http' }] },
  'claude-code': {
    ...standard,
    variables: 'braces',
    type: { names: ['type'], words: { ...words, websocket: ['ws'] }, always: true },
    timeout: { path: ['timeout'], unit: 'ms' },
    auth: {
      clientId: ['oauth', 'clientId'],
      scopes: ['oauth', 'scopes'],
      callbackPort: ['oauth', 'callbackPort'],
      metadataUrl: ['oauth', 'authServerMetadataUrl'],
    },
    scopesAreText: true,
    ignored: { alwaysLoad: 'tools are always loaded' },
    programs: ['headersHelper'],
  },
  vscode: {
    ...standard,
    roots: [
      { path: ['servers'] },
      { path: ['mcp', 'servers'] },
      { path: ['customizations', 'vscode', 'mcp', 'servers'] },
    ],
    variables: 'vscode',
    type: { names: ['type'], words, always: true },
    cwd: 'cwd',
    envFile: 'envFile',
    auth: { clientId: ['oauth', 'clientId'] },
    ignored: { dev: 'watching and debugging are the host’s', sandboxEnabled: sandbox, sandbox },
  },
  cursor: {
    ...standard,
    variables: 'cursor',
    type: { names: ['type'], words },
    envFile: 'envFile',
    cwd: 'cwd',
    auth: { clientId: ['auth', 'CLIENT_ID'], clientSecret: ['auth', 'CLIENT_SECRET'], scopes: ['auth', 'scopes'] },
    switches: [disabled],
  },
  copilot: {
    ...standard,
    variables: 'braces',
    type: { names: ['type'], words: { ...words, stdio: ['local', 'stdio'] }, always: true },
    cwd: 'cwd',
    timeout: { path: ['timeout'], unit: 'ms' },
    allow: 'tools',
    constants: { tools: ['*'] },
  },
  windsurf: {
    ...standard,
    variables: 'windsurf',
    type: { names: ['type'], words },
    urls: [
      { name: 'serverUrl', kind: 'http', writes: ['http', 'sse'] },
      { name: 'url', kind: 'http' },
    ],
    switches: [disabled],
    deny: 'disabledTools',
    ignored: { alwaysAllow: approvals },
  },
  cline: {
    ...standard,
    variables: 'env',
    type: {
      names: ['type', 'transportType'],
      words: { ...words, http: ['streamableHttp', 'http', 'streamable-http'] },
    },
    urls: [{ name: 'url', kind: 'sse', writes: ['http', 'sse'] }],
    cwd: 'cwd',
    switches: [disabled],
    timeout: { path: ['timeout'], unit: 's' },
    ignored: { autoApprove: approvals, alwaysAllow: approvals },
  },
  codex: {
    ...standard,
    roots: [{ path: ['mcp_servers'] }],
    envFromHost: 'env_vars',
    cwd: 'cwd',
    urls: [{ name: 'url', kind: 'http', writes: ['http'] }],
    headers: [['http_headers']],
    headersFromEnv: 'env_http_headers',
    bearerFromEnv: 'bearer_token_env_var',
    bearer: ['bearer_token'],
    switches: [enabled],
    timeout: { path: ['tool_timeout_sec'], unit: 's' },
    startTimeout: { path: ['startup_timeout_sec'], unit: 's' },
    allow: 'enabled_tools',
    deny: 'disabled_tools',
    auth: {
      clientId: ['oauth', 'client_id'],
      callbackPort: ['oauth', 'callback_port'],
      scopes: ['scopes'],
      resource: ['oauth_resource'],
    },
    silent: ['name', 'required', 'supports_parallel_tool_calls'],
    ignored: {
      auth: 'which login is tried is the host’s choice',
      default_tools_approval_mode: approvals,
      tools: approvals,
      environment_id: 'environments are the host’s',
      omit_tools_from: 'where tools are shown is the host’s choice',
    },
    programs: ['http_headers_helper'],
  },
  opencode: {
    ...standard,
    roots: [{ path: ['mcp', 'servers'], readOnly: true }, { path: ['mcp'] }],
    variables: 'opencode',
    type: { names: ['type'], words: { stdio: ['local'], http: ['remote'] }, always: true },
    commandIsList: true,
    env: ['environment'],
    cwd: 'cwd',
    urls: [{ name: 'url', kind: 'http', writes: ['http', 'sse'] }],
    switches: [enabled, disabled],
    timeout: { path: ['timeout', 'request'], unit: 'ms', readOnly: true },
    startTimeout: { path: ['timeout'], unit: 'ms', alsoAt: ['timeout', 'startup'] },
    auth: { clientId: ['oauth', 'clientId'], clientSecret: ['oauth', 'clientSecret'], scopes: ['oauth', 'scope'] },
    alsoAuth: {
      clientId: ['oauth', 'client_id'],
      clientSecret: ['oauth', 'client_secret'],
      callbackPort: ['oauth', 'callback_port'],
    },
    scopesAreText: true,
  },
  gemini: {
    ...standard,
    variables: 'shell',
    type: { names: ['type'], words: { ...words, websocket: ['websocket'] } },
    cwd: 'cwd',
    urls: [
      { name: 'httpUrl', kind: 'http' },
      { name: 'url', kind: 'http', writes: ['http', 'sse'] },
      { name: 'tcp', kind: 'websocket', writes: ['websocket'] },
    ],
    timeout: { path: ['timeout'], unit: 'ms' },
    allow: 'includeTools',
    deny: 'excludeTools',
    auth: { clientId: ['oauth', 'clientId'], clientSecret: ['oauth', 'clientSecret'], scopes: ['oauth', 'scopes'] },
    ignored: { trust: approvals, authProviderType: 'logins of Google are the host’s' },
  },
  'lm-studio': { ...standard, timeout: { path: ['timeout'], unit: 'ms' }, cwd: 'cwd' },
  continue: {
    ...standard,
    roots: [{ path: ['mcpServers'], list: true }],
    variables: 'continue',
    type: {
      names: ['type'],
      words: { ...words, http: ['streamable-http', 'http'], websocket: ['websocket'] },
      always: true,
    },
    cwd: 'cwd',
    headers: [['requestOptions', 'headers'], ['headers']],
    bearer: ['apiKey'],
    startTimeout: { path: ['connectionTimeout'], unit: 'ms' },
    silent: ['name', 'serverName', 'faviconUrl', 'sourceFile', 'sourceSlug'],
  },
  zed: {
    ...standard,
    roots: [{ path: ['context_servers'] }],
    switches: [enabled],
    timeout: { path: ['timeout'], unit: 's' },
    auth: { clientId: ['oauth', 'client_id'], clientSecret: ['oauth', 'client_secret'] },
    silent: ['source', 'settings', 'remote'],
  },
  kiro: {
    ...standard,
    variables: 'braces',
    type: { names: ['type'], words },
    cwd: 'cwd',
    switches: [disabled],
    timeout: { path: ['timeout'], unit: 'ms' },
    deny: 'disabledTools',
    auth: { clientId: ['oauth', 'clientId'], scopes: ['oauthScopes'] },
    ignored: { autoApprove: approvals },
  },
  crush: {
    ...standard,
    roots: [{ path: ['mcp'] }],
    variables: 'shell',
    type: { names: ['type'], words, always: true },
    switches: [disabled],
    startTimeout: { path: ['timeout'], unit: 's' },
    allow: 'enabled_tools',
    deny: 'disabled_tools',
    auth: {
      clientId: ['oauth_client_id'],
      clientSecret: ['oauth_client_secret'],
      callbackPort: ['oauth_callback_port'],
    },
    silent: ['oauth'],
  },
  goose: {
    ...standard,
    roots: [{ path: ['extensions'] }],
    variables: 'shell',
    variablesOnlyIn: ['url', 'headers'],
    type: { names: ['type'], words: { stdio: ['stdio'], http: ['streamable_http'], sse: ['sse'] }, always: true },
    command: ['cmd'],
    env: ['envs'],
    envFromHost: 'env_keys',
    urls: [{ name: 'uri', kind: 'http', writes: ['http'] }],
    switches: [enabled],
    timeout: { path: ['timeout'], unit: 's' },
    allow: 'available_tools',
    silent: ['name', 'description', 'display_name', 'bundled'],
    ownName: 'name',
    constants: { enabled: true },
  },
  'fast-agent': {
    ...standard,
    roots: [{ path: ['mcp', 'servers'] }, { path: ['mcp', 'targets'], list: true }],
    variables: 'colon',
    type: { names: ['transport'], words },
    target: 'target',
    cwd: 'cwd',
    timeout: { path: ['read_timeout_seconds'], unit: 's' },
    auth: { scopes: ['auth', 'scope'] },
    scopesAreText: true,
    bearer: ['access_token'],
    silent: [
      'name',
      'description',
      'load_on_start',
      'include_instructions',
      'reconnect_on_disconnect',
      'defer_loading',
    ],
    ignored: {
      roots: 'roots are given where the connection is made',
      sampling: answers,
      elicitation: answers,
      management: 'whoever else connects to it is the host’s',
    },
  },
  'mcp-agent': {
    ...standard,
    roots: [{ path: ['mcp', 'servers'] }],
    type: {
      names: ['transport'],
      words: { ...words, http: ['streamable_http', 'http'], websocket: ['websocket'] },
      always: true,
    },
    cwd: 'cwd',
    timeout: { path: ['read_timeout_seconds'], unit: 's' },
    allow: 'allowed_tools',
    bearer: ['auth', 'api_key'],
    ignored: { roots: 'roots are given where the connection is made' },
  },
}
