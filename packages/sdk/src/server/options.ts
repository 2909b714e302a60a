import type { MaybePromise } from '../internal/maybe-promise.ts'
import type { ServerCapabilities } from '../model/capabilities.ts'
import type { Implementation } from '../model/meta.ts'
import type { Revision } from '../model/revision.ts'
import type { Root } from '../model/roots.ts'
import type { Visible } from './access/visibility.ts'
import type { Backend } from './backend.ts'
import type { Caller } from './caller.ts'
import type { ServerCacheOptions } from './definition/cache-policy.ts'
import type { Middleware } from './definition/middleware.ts'
import type { PageSizes } from './definition/offers.ts'
import type { ServerPrompt } from './features/prompt.ts'
import type { ServerResource, ServerResourceTemplate } from './features/resource.ts'
import type { ServerTool } from './features/tool.ts'
import type { ServerLimits } from './limits.ts'
import type { ServedExtension } from './served-extension.ts'
import type { SpentStates } from './stateless/spent-states.ts'
import type { StateKey } from './stateless/state-keys.ts'
import type { Bus } from './subscriptions/bus.ts'
import type { TasksOptions } from './tasks/task-options.ts'

/** Where an error that the peer does not see came from. */
export interface ErrorReport {
  /** The id that the peer was given instead of the error, to be searched for in logs. */
  id: string
  /** The method, or the part of the library, in which it happened. */
  during: string
}

/** The part of a tool that tells which context it wants: the type of the context is inferred from it. */
interface WantsContext<App> {
  readonly visible: Visible<App> | undefined
}

/** `Types` are those of the tools, which clients in the same process know. */
export interface ServerOptions<App = unknown, Types extends readonly unknown[] = readonly unknown[]>
  extends Implementation {
  /** How to use the server, for the model. */
  instructions?: string
  tools?: readonly WantsContext<App>[] & { readonly [Index in keyof Types]: ServerTool<App, Types[Index]> }
  resources?: readonly (ServerResource<App> | ServerResourceTemplate<App>)[]
  prompts?: readonly ServerPrompt<App>[]
  /** Wraps operations, the first outermost. */
  middleware?: readonly Middleware<App>[]
  /**
   * Makes the `ctx.context` of handlers, once per connection (from 2026-07-28: once per request; in sessions over
   * HTTP: once per token). If it is disposable, it is disposed of when the connection or the request ends.
   */
  context?: (caller: Caller) => MaybePromise<App>
  /** Whether `ctx.log` may send messages to clients. Default true. */
  logging?: boolean
  /** Extensions of the protocol, each made by `extension(...).serve()`. */
  extensions?: readonly ServedExtension<App>[]
  /** More capabilities to declare, such as `experimental`. */
  capabilities?: Pick<ServerCapabilities, 'experimental' | 'extensions'>
  /** The revisions to speak. Default: all. */
  revisions?: readonly Revision[]
  /**
   * Items per page: of every list, or of some of them. Default: 1,000 tools, because many clients never ask for a second
   * page of them, and 100 of everything else.
   */
  pageSize?: number | Partial<PageSizes>
  /** How long clients from 2026-07-28 may keep lists and resources. Default: not at all. */
  cache?: ServerCacheOptions
  /** Called when a client's roots changed; `roots` asks for the new ones. */
  onRootsChanged?: (roots: () => Promise<Root[]>, caller: Caller) => MaybePromise<void>
  /**
   * Gets every exception that a peer is not shown, and the errors of peers. Default: exceptions are printed on standard
   * error, at most 10 in a minute after the first 50.
   */
  onError?: (error: unknown, report: ErrorReport) => void
  /**
   * Secrets of 32 bytes or more for the state that clients carry between the rounds of a request, from 2026-07-28. The
   * first one seals, all of them open: put a new one in front to rotate. Servers that answer for each other share them;
   * default: one random key per process.
   */
  stateKeys?: readonly StateKey[]
  /**
   * Remembers which of that state has been used, so that each is good for one round; for servers that answer for each
   * other. Default: this process does, and with `serveHttp({ workers })` the first process for all workers.
   */
  spentStates?: SpentStates
  /**
   * Carries changes to the other processes that serve the same clients, and theirs to the clients here.
   * Servers of the same name belong together. Default: there are no others.
   */
  bus?: Bus
  /** Where tasks are kept, and for how long. */
  tasks?: TasksOptions
  /** Answers in place of everything that is registered here: made by `backend` of `@tenon/sdk/relay`, for proxies. */
  backend?: Backend
  limits?: ServerLimits
}
