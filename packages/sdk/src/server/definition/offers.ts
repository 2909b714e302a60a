import type { Budget } from '../../internal/budget.ts'
import type { ServerCapabilities } from '../../model/capabilities.ts'
import type { Backend } from '../backend.ts'
import type { SpokenRevisions } from '../conversation.ts'
import type { ServerPrompt } from '../features/prompt.ts'
import type { ServerResource, ServerResourceTemplate } from '../features/resource.ts'
import type { ServerTool } from '../features/tool.ts'
import type { StateServer } from '../stateless/state-seal.ts'
import type { CompiledCache } from './cache-policy.ts'
import type { HandlerOwner } from './handler-owner.ts'
import type { MiddlewareStack } from './middleware.ts'
import type { Registry } from './registry.ts'

export type Feature = 'tools' | 'resources' | 'prompts'

/** The number of items in a page of each list. */
export interface PageSizes {
  readonly tools: number
  /** Of templates too. */
  readonly resources: number
  readonly prompts: number
  readonly tasks: number
}

/** Another server's offers, seen through a prefix. */
interface MountedOffers {
  readonly definition: Offers
  readonly prefix: string
}

/** Everything that clients can list and use of a server, with the servers that are mounted into it. */
export interface Offers extends HandlerOwner {
  readonly tools: Registry<ServerTool<never>>
  readonly resources: Registry<ServerResource<never> | ServerResourceTemplate<never>>
  readonly prompts: Registry<ServerPrompt<never>>
  readonly mounts: readonly MountedOffers[]
  readonly layers: MiddlewareStack<never>
  readonly pageSizes: PageSizes
  readonly cache: CompiledCache
  /** The bytes that are kept for clients, on all connections together. */
  readonly budget: Budget
  /** Grows with every change of a list, here or below. */
  readonly version: number
  /** True if the server has the feature, even if its list is empty at the moment. */
  offers(feature: Feature): boolean
  /** True if there is a tool that may run as a task, or may come. */
  readonly offersTasks: boolean
}

/** A server with a backend, as a server that it is mounted into finds it. */
export interface MountedBackend {
  readonly name: string
  readonly backend: Backend
  /** Before the names of its tools and prompts: the prefixes of all mounts on the way, one after the other. */
  readonly prefix: string
  /** The servers between, outermost first, and what their names for it begin with there. */
  readonly path: readonly MountedOffers[]
  /** How long a handshake or a list waits for it. */
  readonly timeoutMs: number
  /** What happens to a URI that others have too. */
  readonly ambiguous: 'first' | 'refuse'
  /** Whether its instructions are told with those of the server. */
  readonly instructions: boolean
}

/** A server into which servers with backends are mounted. */
export interface MountingServer extends Offers, SpokenRevisions, Omit<StateServer, 'options'> {
  readonly instructions: string | undefined
  readonly mountedBackends: readonly MountedBackend[]
  /** Without those of mounted backends. */
  capabilities(to?: { known?: boolean }): ServerCapabilities
  extensionMethod(name: string): object | undefined
}
