import type { RequestId } from '../jsonrpc/message.ts'
import type { Implementation } from '../model/meta.ts'
import type { Tool } from '../model/tools.ts'

/** The id of the extension. */
export const appsExtension = 'io.modelcontextprotocol/ui'

/** The version of the extension that views and hosts speak here. */
export const appsVersion = '2026-01-26'

/** The type of every view; other types are reserved. */
export const appMimeType = 'text/html;profile=mcp-app'

/** True for that type, however its parameter is spaced and quoted. */
export const isAppType = (type: string): boolean => type.toLowerCase().replace(/[\s"]/g, '') === appMimeType

/** The capability of clients that show apps: `connect(target, { capabilities: appsCapability })`. */
export const appsCapability: { extensions: { [id: string]: { mimeTypes: string[] } } } = {
  extensions: { [appsExtension]: { mimeTypes: [appMimeType] } },
}

/** Origins that a view wants to reach; all others are blocked. */
export interface AppCsp {
  /** For `fetch`, XHR and WebSocket. */
  connectDomains?: readonly string[]
  /** For scripts, styles, images, fonts and media; `https://*.example.com` names all subdomains. */
  resourceDomains?: readonly string[]
  /** For frames inside the view. */
  frameDomains?: readonly string[]
  /** For `<base>`. */
  baseUriDomains?: readonly string[]
}

/** The permissions that a view requests; a host may grant them. */
export interface AppPermissions {
  camera?: object
  microphone?: object
  geolocation?: object
  clipboardWrite?: object
}

/** `_meta.ui` of the contents of a view. */
export interface AppMeta {
  csp?: AppCsp
  permissions?: AppPermissions
  /** A dedicated origin, in the form that the host documents. */
  domain?: string
  /** Whether the host shall draw a border. */
  prefersBorder?: boolean
}

/** The callers of a tool: the model, the view, or both. */
export type AppVisibility = 'model' | 'app'

export type DisplayMode = 'inline' | 'fullscreen' | 'pip'

const displayModes: readonly DisplayMode[] = ['inline', 'fullscreen', 'pip']

export const isDisplayMode = (value: unknown): value is DisplayMode =>
  (displayModes as readonly unknown[]).includes(value)

/** The room for a view: fixed by the host, or chosen by the view up to a maximum. */
export interface ContainerDimensions {
  width?: number
  maxWidth?: number
  height?: number
  maxHeight?: number
}

/** The surroundings of a view, as the host describes them. */
export interface HostContext {
  /** The call that the view belongs to. */
  toolInfo?: { id?: RequestId; tool: Tool }
  theme?: 'light' | 'dark'
  styles?: {
    /** CSS variables, such as `--color-text-primary`. */
    variables?: { [name: `--${string}`]: string | undefined }
    css?: { fonts?: string }
  }
  displayMode?: DisplayMode
  availableDisplayModes?: readonly DisplayMode[]
  containerDimensions?: ContainerDimensions
  /** BCP 47. */
  locale?: string
  /** IANA. */
  timeZone?: string
  userAgent?: string
  platform?: 'web' | 'desktop' | 'mobile'
  deviceCapabilities?: { touch?: boolean; hover?: boolean }
  safeAreaInsets?: { top: number; right: number; bottom: number; left: number }
  [member: string]: unknown
}

/** The capabilities of a host. */
export interface HostCapabilities {
  experimental?: object
  openLinks?: object
  serverTools?: { listChanged?: boolean }
  serverResources?: { listChanged?: boolean }
  logging?: object
  message?: object
  updateModelContext?: object
  sandbox?: { permissions?: AppPermissions; csp?: AppCsp }
}

/** The capabilities of a view. */
export interface AppCapabilities {
  experimental?: object
  tools?: { listChanged?: boolean }
  availableDisplayModes?: readonly DisplayMode[]
}

/** The introduction of a view. */
export interface AppDescription {
  info: Implementation
  capabilities: AppCapabilities
  protocolVersion: string
}

/** The method names of the extension. */
export const methods = {
  initialize: 'ui/initialize',
  initialized: 'ui/notifications/initialized',
  openLink: 'ui/open-link',
  message: 'ui/message',
  requestDisplayMode: 'ui/request-display-mode',
  updateModelContext: 'ui/update-model-context',
  teardown: 'ui/resource-teardown',
  toolInput: 'ui/notifications/tool-input',
  toolInputPartial: 'ui/notifications/tool-input-partial',
  toolResult: 'ui/notifications/tool-result',
  toolCancelled: 'ui/notifications/tool-cancelled',
  sizeChanged: 'ui/notifications/size-changed',
  contextChanged: 'ui/notifications/host-context-changed',
  sandboxReady: 'ui/notifications/sandbox-proxy-ready',
  sandboxResource: 'ui/notifications/sandbox-resource-ready',
} as const

/** Messages between host and sandbox; a view can neither send nor receive them. */
export const sandboxPrefix = 'ui/notifications/sandbox-'

/** The code of "the host said no". */
export const refusedCode = -32000
