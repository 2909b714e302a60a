import type { OfferFilter } from '@tenon/bridge'
import { ErrorCode, type JsonObject, type Notification, RpcError } from '@tenon/sdk/client'
import {
  type BackendHandlers,
  type BackendIntroduction,
  type BackendListening,
  type BackendRequest,
  BackendSession,
  InputRequired,
  type ListenFilter,
} from '@tenon/sdk/relay'
import type { AuthInfo } from '@tenon/sdk/server'
import { ItemLists } from '../catalogue/item-lists.ts'
import { type ItemUse, type ListKind, listByMethod, unknownItem, useOf } from '../catalogue/kinds.ts'
import type { Gatekeeper, GatewayCaller, GatewayItem, GatewayOutcome, GatewayRequest } from '../model.ts'
import type { RunningUpstream } from '../upstreams/upstream.ts'
import { ApprovalRounds } from './approval-rounds.ts'
import { currentList } from './list-scope.ts'
import { openGatekeeper } from './open-gatekeeper.ts'
import { StartedTasks } from './started-tasks.ts'
import type { Traffic } from './traffic.ts'

/** Where a gate stands: between one virtual server and one upstream. */
interface GatePlace {
  readonly upstream: RunningUpstream
  /** The name of the virtual server. */
  readonly server: string
  readonly gatekeeper: () => Gatekeeper
  readonly callerOf: (auth: AuthInfo | undefined) => GatewayCaller
  readonly traffic: Traffic
  /** The name that clients see. */
  readonly outward: (name: string) => string
  /** The items that the configuration takes. */
  readonly offers: () => OfferFilter | undefined
}

/** The arguments of a request of the gateway itself for the list that a caller sees; no client can send this object. */
export const wantsList: JsonObject = Object.freeze({})

/** The handlers of an upstream for one virtual server. Every item of a list and every request passes here. */
export class Gate implements BackendHandlers {
  readonly #place: GatePlace
  readonly #handlers: BackendHandlers
  readonly #lists: ItemLists
  readonly #tasks = new StartedTasks()
  /** Those who hear of changes. */
  readonly #listeners = new Set<(method: string, params: JsonObject) => unknown>()
  readonly #sessions = new Map<BackendSession, (method: string, params: JsonObject) => unknown>()
  #retired = false

  constructor(place: GatePlace) {
    const { bridge, config } = place.upstream
    this.#place = place
    this.#handlers = bridge.handlers
    this.#lists = new ItemLists(bridge.handlers, config.cacheListsMs)
  }

  /** Requests that are under way go on; new clients get nothing of it. */
  retire(): void {
    this.#retired = true
    this.announce()
  }

  /** Tells clients that the lists may have changed. */
  announce(): void {
    this.#lists.forget(undefined)
    for (const tell of [...this.#listeners, ...this.#sessions.values()]) {
      for (const feature of ['tools', 'prompts', 'resources']) void tell(`notifications/${feature}/list_changed`, {})
    }
  }

  async introduce(to: BackendSession | BackendRequest): Promise<BackendIntroduction> {
    if (this.#retired) {
      currentList()?.holdsWhile(() => false)
      return { capabilities: {} }
    }
    if (to instanceof BackendSession) this.#listenFor(to)
    const { upstream } = this.#place
    try {
      const introduction = await upstream.use(async () => this.#handlers.introduce(to), { decides: true })
      this.#noteAbsence(introduction)
      return introduction
    } catch (error) {
      currentList()?.failed.set(upstream.name, reasonOf(error))
      throw error
    }
  }

  /** An upstream without such items is not asked for its list, and may have some later. */
  #noteAbsence({ capabilities }: BackendIntroduction): void {
    const list = currentList()
    if (list === undefined || capabilities[list.kind.capability] !== undefined) return
    const until = performance.now() + (this.#place.upstream.config.cacheListsMs ?? 0)
    list.holdsWhile(() => !this.#retired && performance.now() < until)
  }

  answer(request: BackendRequest): Promise<JsonObject | InputRequired> {
    const { upstream, traffic, server } = this.#place
    const answered = upstream.during(() => this.#answer(request))
    if (traffic.isWatched) {
      const { method, params } = request
      traffic.note({ caller: this.#callerOf(request), server, upstream: upstream.name, method, params }, answered)
    }
    return answered
  }

  async #answer(request: BackendRequest): Promise<JsonObject | InputRequired> {
    const { method, params } = request
    const list = listByMethod.get(method)
    if (list !== undefined) return { [list.items]: await this.#list(request, list) }
    if (params.arguments === wantsList) {
      const wanted = listByMethod.get(method === 'prompts/get' ? 'prompts/list' : 'tools/list')!
      return { [wanted.items]: await this.#list(request, wanted) }
    }
    const use = useOf(method, params)
    if (use === undefined) return this.#finishTask(request, await this.#use(request))
    this.#refuseLeftOut(use, method)
    return this.#place.gatekeeper() === openGatekeeper ? this.#use(request) : this.#admitted(request, use)
  }

  async listen(
    request: BackendRequest,
    filter: ListenFilter,
    tell: (method: string, params: JsonObject) => void,
  ): Promise<BackendListening> {
    if (this.#retired) return { honoured: {}, stop() {} }
    const { resourceSubscriptions: uris, ...others } = filter
    const watched = uris === undefined ? undefined : await this.#watchable(request, uris)
    const caller = this.#callerOf(request)
    const share = { ...others, ...(watched && { resourceSubscriptions: watched }) }
    const pass = (method: string, params: JsonObject): void => {
      if (this.#mayBeTold(caller, method, params, request.line)) tell(method, params)
    }
    const listening = await this.#place.upstream.use(() => this.#handlers.listen(request, share, pass))
    const announced = (method: string, params: JsonObject): void => {
      if (wantsChanges(share, method)) tell(method, params)
    }
    this.#listeners.add(announced)
    const stop = (): unknown => {
      this.#listeners.delete(announced)
      return listening.stop()
    }
    return { ...listening, stop: stop as BackendListening['stop'] }
  }

  notified(from: Parameters<NonNullable<BackendHandlers['notified']>>[0], notification: Notification): void {
    this.#handlers.notified?.(from, notification)
  }

  closed(session: BackendSession): void {
    this.#sessions.delete(session)
    this.#handlers.closed?.(session)
  }

  lineClosed(line: object): void {
    this.#handlers.lineClosed?.(line)
  }

  async #list(request: BackendRequest, list: ListKind): Promise<JsonObject[]> {
    if (this.#retired) return []
    const { upstream, server } = this.#place
    const gatekeeper = this.#place.gatekeeper()
    const offers = this.#place.offers()
    const revision = gatekeeper.listRevision
    try {
      const { items, isFresh } = await upstream.use(() => this.#lists.list(request, list), { decides: true })
      currentList()?.listed.add(upstream.name)
      currentList()?.holdsWhile(
        () =>
          !this.#retired &&
          upstream.isUp &&
          isFresh() &&
          this.#place.offers() === offers &&
          this.#place.gatekeeper() === gatekeeper &&
          revision !== undefined &&
          gatekeeper.listRevision === revision,
      )
      if (gatekeeper === openGatekeeper && offers === undefined) return [...items]
      const caller = this.#callerOf(request)
      return items.filter((definition) => {
        const item = this.#item(list.kind, definition[list.name] as string, definition)
        return this.#isTaken(item) && gatekeeper.isListed(caller, server, item)
      })
    } catch (error) {
      currentList()?.failed.set(upstream.name, reasonOf(error))
      throw error
    }
  }

  #use(request: BackendRequest): Promise<JsonObject | InputRequired> {
    return this.#place.upstream.use(() => this.#handlers.answer(request))
  }

  async #admitted(request: BackendRequest, use: ItemUse): Promise<JsonObject | InputRequired> {
    const gatekeeper = this.#place.gatekeeper()
    const rounds = new ApprovalRounds(request)
    const asked = await this.#request(request, use, rounds)
    refuseUnlisted(asked)
    let outcome: GatewayOutcome
    try {
      const admitted = await gatekeeper.admit(asked)
      if (rounds.question !== undefined) return rounds.question
      if ('result' in admitted) outcome = { kind: 'result', result: admitted.result }
      else {
        const returned = await this.#use(rounds.forUpstream(withArguments(request, use, admitted.args)))
        if (returned instanceof InputRequired) return rounds.wrap(returned)
        this.#tasks.add(returned, asked)
        outcome = { kind: 'result', result: returned }
      }
    } catch (error) {
      if (rounds.question !== undefined) return rounds.question
      outcome = { kind: 'error', error }
    }
    return settle(await gatekeeper.finish(asked, outcome))
  }

  async #request(request: BackendRequest, use: ItemUse, rounds?: ApprovalRounds): Promise<GatewayRequest> {
    const described = this.#describe(request, use, await this.#definition(request, use))
    return rounds === undefined ? described : { ...described, id: rounds.id, elicit: rounds.elicit }
  }

  #describe(
    request: BackendRequest,
    { kind, name, args }: ItemUse,
    definition: JsonObject | undefined,
  ): GatewayRequest {
    return {
      id: crypto.randomUUID(),
      caller: this.#callerOf(request),
      server: this.#place.server,
      method: request.method,
      item: this.#item(kind, name, definition),
      ...((kind === 'tool' || kind === 'prompt') && { askedFor: this.#place.outward(name) }),
      args,
      signal: request.signal,
      elicit: undefined,
    }
  }

  /** The result of a task is that of its call, and is looked at like one. */
  async #finishTask(
    request: BackendRequest,
    returned: JsonObject | InputRequired,
  ): Promise<JsonObject | InputRequired> {
    const gatekeeper = this.#place.gatekeeper()
    if (gatekeeper === openGatekeeper || returned instanceof InputRequired) return returned
    const call = this.#tasks.callOf(request, returned, () => this.#describe(request, forgotten, undefined))
    if (call === undefined) return returned
    const about = { ...call.request, method: request.method, signal: request.signal, elicit: undefined }
    const outcome = await gatekeeper.finish(about, { kind: 'result', result: call.result })
    return call.replace(settle(outcome))
  }

  /** The definition that the upstream lists. Resources need not be listed, and a server may lack their lists. */
  async #definition(request: BackendRequest, { kind, name }: ItemUse): Promise<JsonObject | undefined> {
    try {
      return await this.#place.upstream.use(() => this.#lists.definition(request, kind, name))
    } catch (error) {
      if (kind === 'tool' && request.method === 'tools/call') throw error
      return undefined
    }
  }

  async #watchable(request: BackendRequest, uris: readonly string[]): Promise<string[]> {
    const gatekeeper = this.#place.gatekeeper()
    const admitted = uris.map(async (name): Promise<string[]> => {
      const use: ItemUse = { kind: 'resource', name, args: {} }
      if (!this.#isTaken(this.#item('resource', name, undefined))) return []
      if (gatekeeper === openGatekeeper) return [name]
      const asked = { ...(await this.#request(request, use)), method: 'resources/subscribe' }
      const outcome = await gatekeeper.admit(asked).then(
        (): GatewayOutcome => ({ kind: 'result', result: {} }),
        (error: unknown): GatewayOutcome => ({ kind: 'error', error }),
      )
      return (await gatekeeper.finish(asked, outcome)).kind === 'result' ? [name] : []
    })
    return (await Promise.all(admitted)).flat()
  }

  #listenFor(session: BackendSession): void {
    this.#sessions.set(session, (method, params) => session.notify(method, params))
    const { hears } = session
    const caller = this.#place.callerOf(session.caller.auth)
    session.hears = (method, params) => hears(method, params) && this.#mayBeTold(caller, method, params, session.line)
  }

  /** An upstream may name a resource below the one that is watched. */
  #mayBeTold(caller: GatewayCaller, method: string, { uri }: JsonObject, line: object | undefined): boolean {
    if (/^notifications\/(?:tools|prompts|resources)\/list_changed$/.test(method)) this.#lists.forget(line)
    if (method !== 'notifications/resources/updated') return true
    if (typeof uri !== 'string') return false
    const item = this.#item('resource', uri, undefined)
    return this.#isTaken(item) && this.#place.gatekeeper().isListed(caller, this.#place.server, item)
  }

  #refuseLeftOut({ kind, name }: ItemUse, method: string): void {
    const isExtension = kind === 'tool' && method !== 'tools/call'
    const taken = this.#place.offers()
    if (taken === undefined) return
    // A method of an extension may reach anything.
    if (isExtension) throw new RpcError(ErrorCode.MethodNotFound, `Method not found: ${method}`)
    const isReference = kind === 'template' && taken({ kind: 'resource', name })
    if (!taken({ kind, name }) && !isReference) throw unknownItem(kind, name)
  }

  #isTaken({ kind, name }: GatewayItem): boolean {
    return this.#place.offers()?.({ kind, name }) ?? true
  }

  #callerOf({ auth }: { readonly auth: AuthInfo | undefined }): GatewayCaller {
    return this.#place.callerOf(auth)
  }

  #item(kind: GatewayItem['kind'], name: string, definition: JsonObject | undefined): GatewayItem {
    return { kind, upstream: this.#place.upstream.name, name, definition }
  }
}

/** The call of a task that is not remembered any more. */
const forgotten: ItemUse = { kind: 'tool', name: '', args: {} }

function withArguments({ method, params }: BackendRequest, use: ItemUse, args: JsonObject): JsonObject {
  const takesArguments = method === 'tools/call' || method === 'prompts/get'
  return takesArguments && args !== use.args ? { ...params, arguments: args } : params
}

/** Whether a subscription is for changes of a list. */
const wantsChanges = (filter: ListenFilter, method: string): boolean =>
  filter[`${method.split('/')[1] as 'tools'}ListChanged`] === true

/** Where rules decide, a tool that is not listed is unknown: so nobody can tell a denial from a name that does not exist. */
function refuseUnlisted({ method, item: { kind, name, definition } }: GatewayRequest): void {
  if (definition === undefined && (method === 'tools/call' || method === 'prompts/get')) throw unknownItem(kind, name)
}

function settle(outcome: GatewayOutcome): JsonObject {
  if (outcome.kind === 'error') throw outcome.error
  return outcome.result
}

const reasonOf = (error: unknown): string =>
  ((error as { data?: { reason?: unknown } }).data?.reason as string | undefined) ?? 'failed'
