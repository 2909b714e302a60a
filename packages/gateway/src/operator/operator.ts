import type { JsonObject } from '@tenon/sdk/client'
import type { Approval } from '../approvals/types.ts'
import { type AuditQuery, searchAudit } from '../audit/search-audit.ts'
import type { Gateway } from '../gateway.ts'
import { type CallerBook, type CallerTraits, callerBook, withTraits } from '../identity/caller-book.ts'
import type { Gatekeeper, GatewayCaller, GatewayItem } from '../model.ts'
import type { UnapprovedDefinition } from '../pins/pins.ts'
import type { ItemExplanation } from '../policy/types.ts'
import { openGatekeeper } from '../serving/open-gatekeeper.ts'
import type { Catalogue } from '../serving/virtual-server.ts'
import type { UpstreamStatus } from '../upstreams/upstream.ts'
import { NotKnownError } from './not-known.ts'

/** An upstream with its health, and how it is reached. */
export interface UpstreamView extends UpstreamStatus {
  readonly reached: 'program' | 'url' | 'socket' | 'module' | 'openapi' | 'target'
  readonly failure: 'open' | 'closed'
}

/** A caller as an operator names it: by an id, or with traits to try out. */
export interface CallerChoice extends CallerTraits {
  readonly id: string
}

/** An item as a caller gets it. */
export interface ViewedItem {
  readonly kind: GatewayItem['kind']
  readonly upstream: string
  readonly name: string
  readonly shownAs: string
  readonly title?: string
  readonly isListed: boolean
}

/** The items of a virtual server with what a caller sees of them. */
export interface CallerView {
  readonly caller: GatewayCaller
  readonly server: string
  readonly items: readonly ViewedItem[]
  readonly missing: Catalogue['missing']
}

/** The decision about one item. */
export interface ExplainedItem extends ItemExplanation {
  readonly kind: GatewayItem['kind']
  readonly upstream: string
  readonly name: string
  readonly shownAs: string
  /** Whether the upstream told its definition, with its annotations. */
  readonly isDefined: boolean
}

/** The decisions about all items with a name. */
export interface ExplainedCaller {
  readonly caller: GatewayCaller
  readonly server: string
  readonly items: readonly ExplainedItem[]
  readonly missing: Catalogue['missing']
}

export interface ExplainQuestion {
  readonly caller: CallerChoice
  /** The name that clients see, or the upstream's own; a URI or a template. */
  readonly name: string
  /** Default: the one at `/mcp`. */
  readonly server?: string | undefined
  /** Without them: about the list. */
  readonly args?: JsonObject | undefined
}

/** The questions and decisions of the people who run a gateway. */
export class Operator {
  readonly #gateway: Gateway

  constructor(gateway: Gateway) {
    this.#gateway = gateway
  }

  upstreams(): UpstreamView[] {
    return this.#gateway.status().map((status) => {
      const config = this.#gateway.config.upstreams[status.name]!
      const reached = (['url', 'socket', 'module', 'openapi', 'target'] as const).find((kind) => kind in config)
      return { ...status, reached: reached ?? 'program', failure: config.failure ?? 'open' }
    })
  }

  /** Asks every upstream whether it is there. */
  async check(): Promise<UpstreamView[]> {
    await this.#gateway.check()
    return this.upstreams()
  }

  /** The callers that the configuration names, and those that called lately. */
  callers(): { readonly known: readonly GatewayCaller[]; readonly forms: readonly string[] } {
    const { named, forms } = this.#book
    const known = new Map([...named, ...this.#gateway.traffic.callers].map((caller) => [caller.id, caller]))
    return { known: [...known.values()], forms }
  }

  /** The items of a virtual server, and which of them a caller sees. No credentials of the caller are used. */
  async viewAs(choice: CallerChoice, server = 'all'): Promise<CallerView> {
    const caller = this.#caller(choice)
    const { items, missing } = await this.#catalogue(server)
    return {
      caller,
      server,
      missing,
      items: items.map((item) => ({
        kind: item.kind,
        upstream: item.upstream,
        name: item.name,
        shownAs: item.shownAs,
        ...(typeof item.definition?.title === 'string' && { title: item.definition.title }),
        isListed: this.#isListed(caller, server, item),
      })),
    }
  }

  /** The rules that decide about a name, for lists and calls. Nothing is called. */
  async explain({ caller: choice, name, server = 'all', args }: ExplainQuestion): Promise<ExplainedCaller> {
    const caller = this.#caller(choice)
    const { items, missing } = await this.#catalogue(server)
    const found = items.filter((item) => item.shownAs === name)
    const own = found.length > 0 ? found : items.filter((item) => item.name === name)
    const unasked = own.length > 0 ? [] : this.#unasked(name, server, missing)
    if (own.length + unasked.length === 0) {
      throw new NotKnownError(
        'item',
        name,
        items.map(({ shownAs }) => shownAs),
      )
    }
    const explained = [...own, ...unasked].map((item): ExplainedItem => {
      const { kind, upstream, name: inside, shownAs, definition } = item
      const explanation = this.#explainItem(caller, server, item, args)
      return { kind, upstream, name: inside, shownAs, isDefined: definition !== undefined, ...explanation }
    })
    return { caller, server, items: explained, missing }
  }

  async approvals(): Promise<Approval[]> {
    return (await this.#gateway.parts.approvals?.list()) ?? []
  }

  async decide(id: string, verdict: 'approve' | 'deny', by: string): Promise<Approval> {
    const approval = await this.#gateway.parts.approvals?.decide(id, verdict, by)
    if (approval === undefined) throw new NotKnownError('request', id, [])
    return approval
  }

  /** The definitions that nobody approved, with what is different. */
  pins(): UnapprovedDefinition[] {
    return this.#gateway.parts.pins?.unapproved() ?? []
  }

  async approvePin(item: Pick<UnapprovedDefinition, 'upstream' | 'kind' | 'name' | 'hash'>, by: string): Promise<void> {
    const { pins } = this.#gateway.parts
    if (pins === undefined) throw new NotKnownError('definition', item.name, [])
    await pins.approve(item, item.hash, by)
  }

  /** Entries of the audit log, the newest first; undefined without a log. */
  async audit(query: AuditQuery): Promise<JsonObject[] | undefined> {
    const { audit } = this.#gateway.parts
    return audit && searchAudit(audit, query)
  }

  get servers(): readonly string[] {
    return this.#gateway.names
  }

  get #book(): CallerBook {
    return this.#gateway.parts.callers ?? callerBook(undefined, undefined)
  }

  get #gatekeeper(): Gatekeeper {
    return this.#gateway.parts.gatekeeper ?? openGatekeeper
  }

  #caller({ id, ...traits }: CallerChoice): GatewayCaller {
    const seen = this.#gateway.traffic.callers.find((caller) => caller.id === id)
    const found = seen === undefined ? this.#book.find(id, traits) : withTraits(seen, traits)
    if (found !== undefined) return found
    const { known, forms } = this.callers()
    throw new NotKnownError('caller', id, [...known.map((caller) => caller.id), ...forms])
  }

  async #catalogue(server: string): Promise<Catalogue> {
    const catalogue = await this.#gateway.catalogue(server)
    if (catalogue === undefined) throw new NotKnownError('server', server, this.#gateway.names)
    return catalogue
  }

  /** A tool at an upstream that cannot be asked: rules decide about it without its definition. */
  #unasked(name: string, server: string, missing: Catalogue['missing']): (GatewayItem & { shownAs: string })[] {
    const isMissing = new Set(missing.map(({ upstream }) => upstream))
    return this.#gateway
      .leadsTo(name, server)
      .filter(({ upstream }) => isMissing.has(upstream))
      .map((item) => ({ ...item, kind: 'tool', definition: undefined, shownAs: name }))
  }

  #isListed(caller: GatewayCaller, server: string, item: GatewayItem): boolean {
    const gatekeeper = this.#gatekeeper
    return gatekeeper.explain?.(caller, server, item).isListed ?? gatekeeper.isListed(caller, server, item)
  }

  #explainItem(
    caller: GatewayCaller,
    server: string,
    item: GatewayItem,
    args: JsonObject | undefined,
  ): ItemExplanation {
    const gatekeeper = this.#gatekeeper
    const explained = gatekeeper.explain?.(caller, server, item, args)
    if (explained !== undefined) return explained
    const isListed = gatekeeper.isListed(caller, server, item)
    return { effect: isListed ? 'allow' : 'deny', by: 'the gatekeeper', isListed, isPinned: true, rules: [] }
  }
}
