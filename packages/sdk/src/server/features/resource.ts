import { McpError } from '../../errors.ts'
import type { MaybePromise } from '../../internal/maybe-promise.ts'
import { describe } from '../../jsonrpc/classify.ts'
import type { CacheHints } from '../../model/caching.ts'
import type { ResourceContents } from '../../model/content.ts'
import type { Annotations, Icon, Meta } from '../../model/meta.ts'
import type { Resource, ResourceTemplate } from '../../model/resources.ts'
import { checkKinds, type OptionKinds } from '../../options/check-kinds.ts'
import { type ParsedTemplate, parseTemplate } from '../../uri-template/parsed.ts'
import type { TemplateVariables } from '../../uri-template/variables.ts'
import { type NeededScopes, type ScopeRule, scopeRule, visibleWithScopes } from '../access/scopes.ts'
import type { Visible } from '../access/visibility.ts'
import type { Caller } from '../caller.ts'
import type { RequestContext } from '../context.ts'
import { type CachePolicy, compilePolicy } from '../definition/cache-policy.ts'
import { checkMetaKeys } from '../definition/check-meta-keys.ts'
import { checkHandler, checkPresent } from '../definition/check-names.ts'
import type { InputRequired } from '../questions/input-required.ts'
import type { Completer } from './completion.ts'

type Body = { text: string } | { blob: string | Uint8Array }

type Contents = string | Uint8Array | ({ uri?: string; mimeType?: string; _meta?: Meta } & Body)

/**
 * The return value of a read: text, bytes, or contents spelled out, alone or with how long they may be kept. Nothing means
 * that the resource does not exist.
 */
export type ResourceReturn =
  | Contents
  | Contents[]
  | ResourceContents[]
  | ({ contents: Contents | Contents[] | ResourceContents[]; _meta?: Meta } & CacheHints)
  | InputRequired
  | undefined

/** Ends the watching of a resource. */
export type EndWatch = () => void

interface ResourceCommon<App> {
  name: string
  title?: string
  description?: string
  mimeType?: string
  icons?: Icon[]
  annotations?: Annotations
  meta?: Meta
  /** Who sees the resource; for everybody else it does not exist. */
  visible?: Visible<App>
  /**
   * The scopes that callers need. Without them a read is answered with the missing scopes, and
   * it is not listed, unless `listed` says so.
   */
  scopes?: NeededScopes
  /**
   * How long clients may keep the contents, in place of the server's policy; a read may say otherwise. Not public
   * with `visible` or `scopes`: a shared cache does not know its readers.
   */
  cache?: CachePolicy
}

export interface ResourceOptions<App> extends ResourceCommon<App> {
  uri: string
  /** In bytes, before any encoding. */
  size?: number
  read(request: { uri: string }, ctx: RequestContext<App>): MaybePromise<ResourceReturn>
  /**
   * Begins to watch the resource for a client that subscribes to it, and returns the end of that, which is called once.
   * Nothing means that this client cannot subscribe. `server.resources.changed(uri)` tells of a change.
   */
  watch?(request: { uri: string }, caller: Caller, context: App): MaybePromise<EndWatch | undefined>
}

export interface ResourceTemplateOptions<T extends string, App> extends ResourceCommon<App> {
  /** An RFC 6570 template, such as `file:///{+path}`. */
  uriTemplate: T
  /** Suggests values while a variable is being typed. */
  complete?: { [Name in keyof TemplateVariables<T> & string]?: Completer<App> }
  /** The resources of this family that belong into the list, if they can be told. */
  list?(ctx: RequestContext<App>): MaybePromise<Resource[]>
  read(
    request: { uri: string; variables: TemplateVariables<T> },
    ctx: RequestContext<App>,
  ): MaybePromise<ResourceReturn>
  /**
   * Begins to watch a resource for a client that subscribes to it, and returns the end of that, which is called once.
   * Nothing means that this client cannot subscribe. `server.resources.changed(uri)` tells of a change.
   */
  watch?(
    request: { uri: string; variables: TemplateVariables<T> },
    caller: Caller,
    context: App,
  ): MaybePromise<EndWatch | undefined>
}

/** A resource, compiled: made by `resource`, used by any number of servers. */
export interface ServerResource<App = unknown> {
  readonly kind: 'resource'
  readonly uri: string
  readonly listed: Resource
  readonly visible: Visible<App> | undefined
  readonly scopes: ScopeRule<App> | undefined
  readonly cache: CacheHints | undefined
  readonly read: (request: { uri: string }, ctx: RequestContext<App>) => unknown
  readonly watch: WatchResource<App> | undefined
}

/** A family of resources, compiled: made by `resourceTemplate`, used by any number of servers. */
export interface ServerResourceTemplate<App = unknown> {
  readonly kind: 'template'
  readonly uri: string
  readonly listed: ResourceTemplate
  readonly template: ParsedTemplate
  readonly completers: ReadonlyMap<string, Completer<App>>
  readonly visible: Visible<App> | undefined
  readonly scopes: ScopeRule<App> | undefined
  readonly cache: CacheHints | undefined
  readonly list: ((ctx: RequestContext<App>) => MaybePromise<Resource[]>) | undefined
  readonly read: (request: { uri: string; variables: unknown }, ctx: RequestContext<App>) => unknown
  readonly watch: WatchResource<App> | undefined
}

type WatchResource<App> = (
  request: { uri: string; variables: unknown },
  caller: Caller,
  context: App,
) => MaybePromise<EndWatch | undefined>

const commonKinds: OptionKinds<ResourceCommon<never>> = {
  name: 'any',
  title: 'string',
  description: 'string',
  mimeType: 'string',
  icons: 'array',
  annotations: 'object',
  meta: 'object',
  visible: 'function',
  scopes: 'any',
  cache: 'any',
}

const resourceKinds: OptionKinds<ResourceOptions<never>> = {
  ...commonKinds,
  uri: 'any',
  size: 'number',
  read: 'any',
  watch: 'function',
}

const templateKinds: OptionKinds<ResourceTemplateOptions<string, never>> = {
  ...commonKinds,
  uriTemplate: 'any',
  complete: 'object',
  list: 'function',
  read: 'any',
  watch: 'function',
}

/**
 * Defines a resource with a fixed URI.
 *
 * @example
 * const motto = resource({ uri: 'note:///motto', name: 'motto', read: () => 'Measure twice, cut once.' })
 */
export function resource<App = unknown>(options: ResourceOptions<App>): ServerResource<App> {
  const { uri, size } = options ?? {}
  const what = `resource ${JSON.stringify(uri)}`
  checkKinds(options, resourceKinds, what)
  checkPresent(options.name, what)
  checkHandler(options, 'read', what)
  checkMetaKeys(options.meta, what)
  if (!URL.canParse(uri)) throw new McpError('invalid_definition', `${what}: expected an absolute URI`)
  const scopes = scopeRule(options, what)
  const visible = visibleWithScopes(scopes, options.visible)
  return Object.freeze({
    kind: 'resource',
    uri,
    listed: { uri, ...listedCommon(options), ...(size !== undefined && { size }) },
    visible,
    scopes,
    cache: cacheOf(options.cache, visible, what),
    read: options.read as ServerResource<App>['read'],
    watch: options.watch?.bind(options) as WatchResource<App> | undefined,
  })
}

/**
 * Defines a family of resources by a URI template.
 *
 * @example
 * const user = resourceTemplate({
 *   uriTemplate: 'user:///{id}',
 *   name: 'user',
 *   read: async ({ variables }) => JSON.stringify(await users.find(variables.id)),
 * })
 */
export function resourceTemplate<const T extends string, App = unknown>(
  options: ResourceTemplateOptions<T, App>,
): ServerResourceTemplate<App> {
  const { uriTemplate } = options ?? {}
  const what = `resource template ${JSON.stringify(uriTemplate)}`
  checkKinds(options, templateKinds, what)
  checkPresent(options.name, what)
  checkHandler(options, 'read', what)
  checkMetaKeys(options.meta, what)
  if (typeof uriTemplate !== 'string') {
    throw new McpError(
      'invalid_definition',
      `resource template ${options.name}: expected a uriTemplate, got ${describe(uriTemplate)}`,
    )
  }
  const template = parseTemplate(uriTemplate)
  const completers = new Map<string, Completer<App>>()
  for (const [name, completer] of Object.entries(options.complete ?? {}) as [string, Completer<App> | undefined][]) {
    if (!template.variables.includes(name)) {
      throw new McpError('invalid_definition', `${what} complete.${name}: there is no such variable`)
    }
    if (completer) completers.set(name, completer)
  }
  const scopes = scopeRule(options, what)
  const visible = visibleWithScopes(scopes, options.visible)
  return Object.freeze({
    kind: 'template',
    uri: uriTemplate,
    listed: { uriTemplate, ...listedCommon(options) },
    template,
    completers,
    visible,
    scopes,
    cache: cacheOf(options.cache, visible, what),
    list: options.list?.bind(options),
    read: options.read as ServerResourceTemplate<App>['read'],
    watch: options.watch?.bind(options) as WatchResource<App> | undefined,
  })
}

function cacheOf<App>(
  cache: CachePolicy | undefined,
  visible: Visible<App> | undefined,
  what: string,
): CacheHints | undefined {
  if (visible === undefined || cache?.scope !== 'public') return compilePolicy(cache, `${what} cache`)
  throw new McpError('invalid_definition', `${what} cache.scope: "public" and a rule who sees it contradict each other`)
}

const listedCommon = <App>({
  name,
  title,
  description,
  mimeType,
  icons,
  annotations,
  meta,
}: ResourceCommon<App>): Omit<ResourceTemplate, 'uriTemplate'> => ({
  name,
  ...(title !== undefined && { title }),
  ...(description !== undefined && { description }),
  ...(mimeType !== undefined && { mimeType }),
  ...(icons && { icons }),
  ...(annotations && { annotations }),
  ...(meta && { _meta: meta }),
})
