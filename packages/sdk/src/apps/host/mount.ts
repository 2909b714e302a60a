import { McpError } from '../../errors.ts'
import { gate } from '../../internal/gate.ts'
import type { MaybePromise } from '../../internal/maybe-promise.ts'
import { withinMs } from '../../internal/timers.ts'
import type { Channel } from '../../jsonrpc/channel.ts'
import { windowChannel } from '../../transport/post-message.ts'
import { restrictCsp } from '../csp.ts'
import { restrictPermissions } from '../permissions.ts'
import { type AppCsp, type AppPermissions, methods } from '../vocabulary.ts'
import { AppBridge, type AppBridgeOptions } from './bridge.ts'
import { type AppDocument, type LoadAppOptions, loadApp } from './document.ts'
import { fitFrame, sandboxFrame } from './frame.ts'
import { withCsp } from './sandbox-page.ts'

/** Limits the declared permissions and origins of a view; undeclared ones are never granted. */
export interface AppApproval {
  csp?: AppCsp
  permissions?: AppPermissions
}

export interface MountAppOptions extends Omit<AppBridgeOptions, 'sandbox'>, LoadAppOptions {
  /** The element that shows the view. */
  container: HTMLElement
  /** The view: its `ui://` URI (see `appUriOf`), or the result of `loadApp`. */
  app: string | AppDocument
  /** The address of the page that `sandboxPage` makes, on another origin than this page. */
  sandbox: string | URL | ((app: AppDocument) => string | URL)
  /** Looks at a view before it is shown. Default: the declared origins, and no permissions. `false` refuses it. */
  approve?: (app: AppDocument) => MaybePromise<AppApproval | false>
  /** Messages of the view in one second; more end it. Default: 200. */
  maxMessagesPerSecond?: number
  /** Characters of one message of the view. Default: 4 Mi. */
  maxMessageLength?: number
  /** Pixels that a view may grow to where `context.containerDimensions` does not say. Default: 2,000. */
  maxSize?: number
  /** How long the sandbox page may take to load. Default: 10 s. */
  sandboxTimeoutMs?: number
}

/** A view on the page. */
export interface MountedApp extends AsyncDisposable {
  readonly app: AppDocument
  readonly bridge: AppBridge
  readonly frame: HTMLIFrameElement
  /** Lets the view finish, within bounds, and removes it. */
  close(reason?: string): Promise<void>
}

/**
 * Shows a view in a sandbox: a frame of another origin, and in it the view, without an origin and under a policy with
 * its declared origins. Resolves once the page has been handed to the sandbox.
 */
export async function mountApp(options: MountAppOptions): Promise<MountedApp> {
  const { container, client, sandboxTimeoutMs = 10_000 } = options
  const app = typeof options.app === 'string' ? await loadApp(client, options.app, options) : options.app
  const approved = await approve(app, options.approve)
  if (!container.isConnected) throw new McpError('invalid_argument', 'container: expected an element of the page')
  const document = container.ownerDocument
  const address = sandboxAddress(options.sandbox, app, document.defaultView!.location)
  const frame = sandboxFrame(document, withCsp(address, approved.csp), approved.permissions, app.uri)
  container.append(frame)
  const channel = channelTo(frame, address.origin, options)
  const sandboxReady = gate()
  const bridge = openBridge(channel, frame, approved, options, sandboxReady.open)
  const gone = bridge.closed.then(() => frame.remove())
  const close = async (reason?: string): Promise<void> => {
    await bridge.close(reason)
    await gone
  }
  if (!(await withinMs(sandboxTimeoutMs, sandboxReady.passed))) {
    await close()
    const hint = 'does it load, and name this origin in hostOrigins?'
    throw new McpError('timeout', `${address.href} was not ready within ${sandboxTimeoutMs} ms; ${hint}`)
  }
  const params = { html: app.html, ...approved }
  void channel.send({ jsonrpc: '2.0', method: methods.sandboxResource, params })
  return { app, bridge, frame, close, [Symbol.asyncDispose]: close }
}

function channelTo(frame: HTMLIFrameElement, origin: string, options: MountAppOptions): Channel {
  const { container, maxMessagesPerSecond = 200, maxMessageLength } = options
  return windowChannel({
    target: frame.contentWindow!,
    origin,
    self: container.ownerDocument.defaultView!,
    maxMessagesPerSecond,
    ...(maxMessageLength !== undefined && { maxMessageLength }),
  })
}

/** A bridge to a view whose frame takes the size that the view tells. */
function openBridge(
  channel: Channel,
  frame: HTMLIFrameElement,
  sandbox: Required<AppApproval>,
  options: MountAppOptions,
  onSandboxReady: () => void,
): AppBridge {
  const sizeChanged = (size: { width?: number; height?: number }): void => {
    fitFrame(frame, size, bridge.context.containerDimensions, options.maxSize)
    options.sizeChanged?.(size)
  }
  const bridge = new AppBridge(channel, { ...options, sandbox, sizeChanged }, onSandboxReady)
  fitFrame(frame, {}, bridge.context.containerDimensions, options.maxSize)
  return bridge
}

async function approve(app: AppDocument, ask: MountAppOptions['approve']): Promise<Required<AppApproval>> {
  const approval = ask ? await ask(app) : { csp: app.csp }
  if (approval === false) throw new McpError('cancelled', `${app.uri} was refused by the host`)
  return {
    csp: restrictCsp(app.csp, approval.csp ?? {}),
    permissions: restrictPermissions(app.permissions, approval.permissions ?? {}),
  }
}

function sandboxAddress(sandbox: MountAppOptions['sandbox'], app: AppDocument, here: Location): URL {
  const given = typeof sandbox === 'function' ? sandbox(app) : sandbox
  const url = new URL(given, here.href)
  // On this origin a view could read this page, and act as its user.
  if (/^https?:$/.test(url.protocol) && url.origin !== here.origin) return url
  throw new McpError('invalid_argument', `sandbox: expected an http(s) URL of another origin, got ${url.href}`)
}
