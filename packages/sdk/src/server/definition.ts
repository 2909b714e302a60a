import { McpError } from '../errors.ts'
import { describe } from '../jsonrpc/classify.ts'
import type { ServerCapabilities } from '../model/capabilities.ts'
import type { Implementation } from '../model/meta.ts'
import { isRevision, type Revision, revisions } from '../model/revision.ts'
import { type DetailedTask, tasksExtension } from '../model/tasks.ts'
import type { Codec } from '../wire/codec.ts'
import { codecFor } from '../wire/codecs.ts'
import type { Caller, CallerState } from './caller.ts'
import { Layers } from './middleware.ts'
import { checkExtensionNames, checkPrefix } from './names.ts'
import type { ServerOptions } from './options.ts'
import type { ServerPrompt } from './prompt.ts'
import { Registry } from './registry.ts'
import type { ServerResource, ServerResourceTemplate } from './resource.ts'
import { StateSeal } from './state-seal.ts'
import { Tasks } from './tasks/tasks.ts'
import type { ServerTool } from './tool.ts'
import type { Visible } from './visibility.ts'

export type Feature = 'tools' | 'resources' | 'prompts'

/** Something changed: one item of a list, or the contents behind a URI. */
export type Change =
  | { kind: 'list'; feature: Feature; visible: Visible<never> | undefined; owner: Definition }
  | { kind: 'resource'; uri: string }
  /** A task changed: whose it is (`ownerOf`), the session that it runs for if there is one, and what it is now. */
  | { kind: 'task'; owner: string; session: CallerState | undefined; task: DetailedTask }

/** Another server's offers, seen through a prefix. */
export interface Mount {
  readonly definition: Definition
  readonly prefix: string
}

// A definition is generic only at its surface: inside, a handler and the context made for it always belong to the
// same definition, so the type of the context is erased here.
type App = never

/**
 * What a server is, compiled: shared by all of its connections, which keep their own state elsewhere. Only the
 * registries and the mounts change.
 */
export class Definition {
  readonly info: Implementation
  readonly instructions: string | undefined
  readonly revisions: readonly Revision[]
  readonly handshakeRevisions: readonly Revision[]
  /** True if requests may come without a handshake, each describing its caller. */
  readonly speaksAlone: boolean
  readonly pageSize: number
  readonly layers: Layers<App>
  readonly seal: StateSeal
  readonly tools: Registry<ServerTool<App>>
  readonly resources: Registry<ServerResource<App> | ServerResourceTemplate<App>>
  readonly prompts: Registry<ServerPrompt<App>>
  readonly mounts: Mount[] = []
  readonly options: ServerOptions<App>
  readonly #listeners = new Set<(change: Change) => void>()
  readonly #declared: ReadonlySet<Feature>
  #tasks: Tasks | undefined
  /** Grows with every change of a list, here or below: what was derived from an older version is stale. */
  version = 0

  constructor(options: ServerOptions<App>) {
    this.options = options
    this.info = implementation(options)
    checkExtensionNames(Object.keys(options.capabilities?.extensions ?? {}), 'createServer capabilities.extensions')
    this.instructions = options.instructions
    this.revisions = checkRevisions(options.revisions ?? revisions)
    this.handshakeRevisions = this.revisions.filter((revision) => codecFor(revision).handshake)
    this.speaksAlone = this.handshakeRevisions.length < this.revisions.length
    this.pageSize = checkPageSize(options.pageSize ?? 100)
    this.layers = new Layers(options.middleware ?? [])
    const { stateTtlMs, maxStateLength } = options.limits ?? {}
    this.seal = new StateSeal({ keys: options.stateKeys, ttlMs: stateTtlMs, maxLength: maxStateLength })
    const changed = (feature: Feature, { visible }: { visible: Visible<App> | undefined }): void =>
      this.emit({ kind: 'list', feature, visible, owner: this })
    this.tools = new Registry(
      'tool',
      ({ name }) => name,
      (tool) => changed('tools', tool),
    )
    this.resources = new Registry(
      'resource',
      ({ uri }) => uri,
      (resource) => changed('resources', resource),
    )
    this.prompts = new Registry(
      'prompt',
      ({ name }) => name,
      (prompt) => changed('prompts', prompt),
    )
    this.tools.add(...listOf(options.tools, 'tools'))
    this.resources.add(...listOf(options.resources, 'resources'))
    this.prompts.add(...listOf(options.prompts, 'prompts'))
    // Wrong options are noticed here, and not when the first task is made.
    if (options.tasks !== undefined) this.#tasks = new Tasks(this)
    this.#declared = new Set((['tools', 'resources', 'prompts'] as const).filter((feature) => options[feature]))
  }

  /** True if the server has the feature, even if its list is empty at the moment. */
  offers(feature: Feature): boolean {
    return (
      this.#declared.has(feature) ||
      this[feature].size > 0 ||
      this.mounts.some((mount) => mount.definition.offers(feature))
    )
  }

  get completes(): boolean {
    return (
      this.mounts.some((mount) => mount.definition.completes) ||
      [...this.prompts, ...this.resources].some((item) => 'completers' in item && item.completers.size > 0)
    )
  }

  /** True if there is a tool that may run as a task, or may come. */
  get offersTasks(): boolean {
    return (
      this.options.tasks !== undefined ||
      [...this.tools].some((tool) => tool.task !== undefined) ||
      this.mounts.some((mount) => mount.definition.offersTasks)
    )
  }

  /** The tasks of this server, which keeps them for the servers that are mounted too. */
  get tasks(): Tasks {
    this.#tasks ??= new Tasks(this)
    return this.#tasks
  }

  get logs(): boolean {
    return this.options.logging ?? true
  }

  /** What clients are told. `pushes` says whether news can reach them, `known` whether they can be told apart. */
  capabilities({ pushes, known = false }: { pushes: boolean; known?: boolean }): ServerCapabilities {
    const listChanged = pushes && { listChanged: true }
    const { extensions } = this.options.capabilities ?? {}
    const tasks = this.offersTasks && { [tasksExtension]: { ...(known && { list: {} }) } }
    return {
      ...(this.offers('tools') && { tools: { ...listChanged } }),
      ...(this.offers('resources') && { resources: { ...(pushes && { subscribe: true }), ...listChanged } }),
      ...(this.offers('prompts') && { prompts: { ...listChanged } }),
      ...(this.completes && { completions: {} }),
      ...(this.logs && { logging: {} }),
      ...this.options.capabilities,
      ...((extensions || tasks) && { extensions: { ...tasks, ...extensions } }),
    }
  }

  /** Adds another server's offers; returns the function that removes them. */
  mount(definition: Definition, prefix: string): () => void {
    if (definition === this || definition.contains(this)) {
      throw new McpError('invalid_definition', `${this.info.name}: a server cannot be mounted into itself`)
    }
    checkPrefix(prefix, `mount of ${definition.info.name}`)
    const mount = { definition, prefix }
    this.mounts.push(mount)
    const forget = definition.onChange((change) => this.emit(change))
    this.#mountsChanged(definition)
    return () => {
      const index = this.mounts.indexOf(mount)
      if (index < 0) return
      this.mounts.splice(index, 1)
      forget()
      this.#mountsChanged(definition)
    }
  }

  #mountsChanged(owner: Definition): void {
    for (const feature of ['tools', 'resources', 'prompts'] as const) {
      if (owner.offers(feature)) this.emit({ kind: 'list', feature, visible: undefined, owner })
    }
  }

  contains(other: Definition): boolean {
    return this.mounts.some(({ definition }) => definition === other || definition.contains(other))
  }

  onChange(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  emit(change: Change): void {
    if (change.kind === 'list') this.version++
    for (const listener of this.#listeners) listener(change)
  }

  /** True if a context is made for callers, here or in a mounted server. */
  get makesContexts(): boolean {
    return this.options.context !== undefined || this.mounts.some((mount) => mount.definition.makesContexts)
  }

  /** The user context for a caller; made once per caller, by the server whose handlers get it. */
  contextFor(caller: CallerState): unknown {
    const make = this.options.context as ((caller: Caller) => unknown) | undefined
    if (make === undefined) return undefined
    if (!caller.contexts.has(this)) caller.contexts.set(this, make(caller))
    return caller.contexts.get(this)
  }

  /** Whether a caller may see an item. A rule that throws says no: when in doubt, hide. */
  async sees(caller: CallerState, visible: Visible<App> | undefined): Promise<boolean> {
    if (visible === undefined) return true
    try {
      return await visible(caller, (await this.contextFor(caller)) as App)
    } catch (error) {
      this.report(error, 'visible')
      return false
    }
  }

  /** Tells the operator what a peer is not told; returns the id that the peer gets instead. */
  report(error: unknown, during: string): string {
    const id = crypto.randomUUID().slice(0, 8)
    try {
      this.options.onError?.(error, { id, during })
    } catch {
      // An operator's broken error handler must not take the connection down.
    }
    return id
  }

  /** The codec of a revision, if this server speaks it. */
  codec(revision: unknown): Codec | undefined {
    return isRevision(revision) && this.revisions.includes(revision) ? codecFor(revision) : undefined
  }
}

function implementation({ name, version, title, description, websiteUrl, icons }: ServerOptions<App>): Implementation {
  for (const [member, value] of Object.entries({ name, version })) {
    if (typeof value !== 'string' || value === '') {
      throw new McpError(
        'invalid_definition',
        `createServer ${member}: expected a string, got ${JSON.stringify(value)}`,
      )
    }
  }
  return {
    name,
    version,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(websiteUrl !== undefined && { websiteUrl }),
    ...(icons && { icons }),
  }
}

function listOf<T>(given: readonly T[] | undefined, name: string): readonly T[] {
  if (given === undefined || Array.isArray(given)) return given ?? []
  throw new McpError('invalid_definition', `createServer ${name}: expected an array, got ${describe(given)}`)
}

function checkRevisions(given: readonly Revision[]): readonly Revision[] {
  const unknown = given.find((revision) => !isRevision(revision))
  if (unknown !== undefined || given.length === 0) {
    throw new McpError(
      'invalid_definition',
      `createServer revisions: expected some of ${revisions.join(', ')}, got ${JSON.stringify(given)}`,
    )
  }
  return revisions.filter((revision) => given.includes(revision))
}

function checkPageSize(pageSize: number): number {
  if (Number.isInteger(pageSize) && pageSize > 0) return pageSize
  throw new McpError('invalid_definition', `createServer pageSize: expected a positive integer, got ${pageSize}`)
}
