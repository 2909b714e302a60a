import { McpError } from '../errors.ts'
import type { MaybePromise } from '../internal/maybe-promise.ts'
import { describe, isObject } from '../jsonrpc/classify.ts'
import type { Annotations, Icon, Meta } from '../model/meta.ts'
import type { SchemaLike } from '../schema/bridge.ts'
import type { Visible } from '../server/access/visibility.ts'
import type { Caller } from '../server/caller.ts'
import type { RequestContext } from '../server/context.ts'
import { type ResourceReturn, resource, type ServerResource } from '../server/features/resource.ts'
import { type ServerTool, type ToolOptions, tool } from '../server/features/tool.ts'
import { checkCsp } from './csp.ts'
import { checkPermissions } from './permissions.ts'
import { isAppUri } from './tool-meta.ts'
import { type AppMeta, type AppVisibility, appMimeType, appsExtension, isAppType } from './vocabulary.ts'

type AnyObject = { type: 'object' }

export interface AppResourceOptions<App> extends AppMeta {
  /** `ui://…` */
  uri: string
  name: string
  title?: string
  description?: string
  icons?: Icon[]
  annotations?: Annotations
  meta?: Meta
  /** The callers that see the view; for all others it does not exist. */
  visible?: Visible<App>
  /** The page. */
  html?: string
  /** Finds the page each time it is read; instead of `html`. */
  load?(request: { uri: string }, ctx: RequestContext<App>): MaybePromise<Page>
}

type Page = string | Uint8Array | undefined

/**
 * Defines a view: a page that hosts show in a sandbox. The origins that it may reach are declared here, and no others
 * are allowed.
 *
 * @example
 * const clock = appResource({ uri: 'ui://clock/view', name: 'clock', html: '<!doctype html><h1>12:00</h1>' })
 */
export function appResource<App = unknown>(options: AppResourceOptions<App>): ServerResource<App> {
  const { uri, html, load, csp, permissions, domain, prefersBorder, meta, ...rest } = options
  const what = `app ${JSON.stringify(uri)}`
  if (!isAppUri(uri)) throw invalid(`${what}: expected a URI that starts with "ui://"`)
  if ((typeof html === 'string') === (typeof load === 'function'))
    throw invalid(`${what}: expected either html, a string, or load, a function`)
  const ui = checkedMeta({ csp, permissions, domain, prefersBorder }, what)
  const withUi: Meta = { ...meta, ui }
  const contents = (page: Page): ResourceReturn =>
    page === undefined ? undefined : { mimeType: appMimeType, _meta: { ui }, ...bodyOf(page, what) }
  return resource<App>({
    ...rest,
    uri,
    mimeType: appMimeType,
    meta: withUi,
    ...(html !== undefined && { size: new TextEncoder().encode(html).length }),
    read: (request, ctx) => {
      const page = html ?? load!(request, ctx)
      return page instanceof Promise ? page.then(contents) : contents(page)
    },
  })
}

function bodyOf(page: Page, what: string): { text: string } | { blob: Uint8Array } {
  if (typeof page === 'string') return { text: page }
  if (page instanceof Uint8Array) return { blob: page }
  throw new McpError('invalid_result', `${what} load: expected a string or bytes, got ${describe(page)}`)
}

type Declared = { [member in keyof AppMeta]: AppMeta[member] | undefined }

function checkedMeta({ csp, permissions, domain, prefersBorder }: Declared, what: string): AppMeta {
  if (csp !== undefined) checkCsp(csp, what)
  if (permissions !== undefined) checkPermissions(permissions, what)
  if (domain !== undefined && (typeof domain !== 'string' || domain === ''))
    throw invalid(`${what} domain: expected a string, got ${describe(domain)}`)
  if (prefersBorder !== undefined && typeof prefersBorder !== 'boolean')
    throw invalid(`${what} prefersBorder: expected true or false, got ${describe(prefersBorder)}`)
  return {
    ...(csp !== undefined && { csp }),
    ...(permissions !== undefined && { permissions }),
    ...(domain !== undefined && { domain }),
    ...(prefersBorder !== undefined && { prefersBorder }),
  }
}

export interface AppToolOptions<I extends SchemaLike, O extends SchemaLike, App> extends ToolOptions<I, O, App> {
  /** The view that shows the result, or its URI. Tools that only views call need none. */
  app?: Pick<ServerResource<never>, 'uri'> | string
  /**
   * The callers of the tool. Default: the model and the view. Without `model`, clients that show no apps do not see it.
   */
  visibility?: readonly AppVisibility[]
}

/**
 * Defines a tool with a view. Clients without apps get its content; `supportsApps(ctx.caller)` tells the two apart.
 *
 * @example
 * const time = appTool({ name: 'time', app: clock, run: () => new Date().toISOString() })
 */
export function appTool<const I extends SchemaLike = AnyObject, const O extends SchemaLike = never, App = unknown>(
  options: AppToolOptions<I, O, App>,
): ServerTool<App> {
  const { app, visibility, ...rest } = options
  const what = `tool ${JSON.stringify(options.name)}`
  const uri = typeof app === 'object' && app !== null ? app.uri : app
  if (uri !== undefined && !isAppUri(uri))
    throw invalid(`${what} app: expected a view, or a URI that starts with "ui://", got ${JSON.stringify(uri)}`)
  const wrong = !isVisibility(visibility)
  if (wrong) throw invalid(`${what} visibility: expected some of "model", "app", got ${JSON.stringify(visibility)}`)
  const ui = { ...(uri !== undefined && { resourceUri: uri }), ...(visibility && { visibility: [...visibility] }) }
  const visible = visibility && !visibility.includes('model') ? unlessPlain(options.visible) : options.visible
  return tool<I, O, App>({ ...rest, ...(visible && { visible }), meta: { ...options.meta, ui } })
}

const isVisibility = (value: unknown): boolean =>
  value === undefined ||
  (Array.isArray(value) && value.length > 0 && value.every((who) => who === 'model' || who === 'app'))

/** A client that does not know the extension would offer the tool to its model. */
const unlessPlain =
  <App>(visible: Visible<App> | undefined): Visible<App> =>
  (caller, context) =>
    supportsApps(caller) && (visible === undefined || visible(caller, context))

/** True if the client shows apps; otherwise text is all that its user gets. */
export function supportsApps(caller: Pick<Caller, 'capabilities'>): boolean {
  const settings = caller.capabilities.extensions?.[appsExtension]
  const types = isObject(settings) ? settings.mimeTypes : undefined
  return Array.isArray(types) && types.some((type) => typeof type === 'string' && isAppType(type))
}

const invalid = (message: string): McpError => new McpError('invalid_definition', message)
