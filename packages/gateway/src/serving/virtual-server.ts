import { type OfferFilter, offerRules } from '@tenon/bridge'
import { backend } from '@tenon/sdk/relay'
import { type AuthInfo, createServer, type Server } from '@tenon/sdk/server'
import { type NamedItem, Naming } from '../catalogue/naming.ts'
import type { MemberConfig, UpstreamConfig, VirtualServerConfig } from '../config/model.ts'
import type { Gatekeeper, GatewayCaller, GatewayItem } from '../model.ts'
import type { RunningUpstream } from '../upstreams/upstream.ts'
import { version } from '../version.ts'
import { type FaceMember, faceOf } from './face.ts'
import { Gate } from './gate.ts'
import type { Traffic } from './traffic.ts'

/** The parts of a gateway that its virtual servers share. */
export interface ServerContext {
  readonly gatekeeper: () => Gatekeeper
  readonly callerOf: (auth: AuthInfo | undefined) => GatewayCaller
  readonly report: (error: unknown, during: string) => void
  readonly traffic: Traffic
  /** For the state that clients carry between rounds, if other gateways have to open it. */
  readonly stateKeys: () => readonly string[] | undefined
}

/** An item of a virtual server, and the name that clients see. */
export interface CatalogueItem extends GatewayItem {
  readonly shownAs: string
}

/** Everything in a virtual server, before rules, and the upstreams that could not be asked. */
export interface Catalogue {
  readonly items: readonly CatalogueItem[]
  readonly missing: readonly { readonly upstream: string; readonly problem: string }[]
}

interface Member extends FaceMember {
  readonly gate: Gate
  readonly unmount: () => void
  offers: OfferFilter | undefined
}

/** A server that is made of upstreams, and follows the configuration while clients use it. */
export class VirtualServer {
  readonly name: string
  readonly server: Server
  readonly #context: ServerContext
  readonly #members = new Map<string, Member>()
  readonly #byPrefix = new Map<string, Member>()
  #config: VirtualServerConfig = {}
  #naming = new Naming([])
  /** How often each upstream was mounted. */
  readonly #mounts = new Map<string, number>()

  constructor(name: string, config: VirtualServerConfig, context: ServerContext) {
    this.name = name
    this.#context = context
    const { title, instructions } = config
    const stateKeys = context.stateKeys()
    this.server = createServer({
      name,
      version,
      ...(stateKeys && { stateKeys }),
      ...(title !== undefined && { title }),
      ...(instructions !== undefined && { instructions }),
      middleware: [
        faceOf({
          naming: () => this.#naming,
          members: () => [...this.#members.values()],
          member: (prefix) => this.#byPrefix.get(prefix),
          searches: () => this.#config.search ?? false,
          callerOf: context.callerOf,
          collides: (problem) => context.report(new Error(problem), `server ${name}`),
        }),
      ],
      onError: (error, { during }) => context.report(error, `server ${name}: ${during}`),
    })
  }

  /** Takes another configuration. Requests at upstreams that it does not have any more come to their ends. */
  apply(config: VirtualServerConfig, upstreams: ReadonlyMap<string, RunningUpstream>): void {
    this.#config = config
    const chosen = membersOf(config, [...upstreams.keys()])
    this.#naming = new Naming(chosen)
    for (const { name, items } of this.#naming.collisions) {
      const places = items.map((item) => `${item.upstream}.${item.name}`).join(' and ')
      this.#context.report(new Error(`${name} is the name of ${places}: none of them is served`), `server ${this.name}`)
    }
    for (const [name, member] of this.#members) {
      if (upstreams.get(name) === member.upstream && chosen.has(name)) continue
      this.#retire(member)
      this.#members.delete(name)
      this.#byPrefix.delete(member.prefix)
    }
    for (const [name, how] of chosen) {
      const upstream = upstreams.get(name)!
      const known = this.#members.get(name)
      if (known === undefined) this.#members.set(name, this.#mount(upstream, how))
      else known.offers = offersOf(upstream.config, how)
    }
    for (const { gate } of this.#members.values()) gate.announce()
  }

  /** For operators. Of items with the same name none is served, so none is here. */
  async catalogue(): Promise<Catalogue> {
    const missing: { upstream: string; problem: string }[] = []
    const lists = [...this.#members.values()].map(async ({ upstream, offers }): Promise<CatalogueItem[]> => {
      try {
        const items = await upstream.offered()
        return items.filter(({ kind, name }) => offers?.({ kind, name }) ?? true).map((item) => this.#shown(item))
      } catch (error) {
        missing.push({ upstream: upstream.name, problem: error instanceof Error ? error.message : String(error) })
        return []
      }
    })
    const items = (await Promise.all(lists)).flat()
    const counts = new Map<string, number>()
    for (const { kind, shownAs } of items) counts.set(`${kind} ${shownAs}`, (counts.get(`${kind} ${shownAs}`) ?? 0) + 1)
    return { items: items.filter(({ kind, shownAs }) => counts.get(`${kind} ${shownAs}`) === 1), missing }
  }

  /** What a name may lead to, also at an upstream that cannot be asked. */
  leadsTo(name: string): readonly NamedItem[] {
    return this.#naming.inward(name)
  }

  #shown(item: GatewayItem): CatalogueItem {
    const isNamed = item.kind === 'tool' || item.kind === 'prompt'
    return { ...item, shownAs: isNamed ? this.#naming.outward(item) : item.name }
  }

  #mount(upstream: RunningUpstream, how: MemberConfig): Member {
    const { gatekeeper, callerOf, traffic } = this.#context
    const offers = offersOf(upstream.config, how)
    const gate = new Gate({
      upstream,
      server: this.name,
      gatekeeper,
      callerOf,
      traffic,
      outward: (name) => this.#naming.outward({ upstream: upstream.name, name }),
      offers: () => member.offers,
    })
    const part = createServer({ name: upstream.name, version, backend: backend(gate) })
    const { timeoutMs } = upstream.config
    // An upstream that is replaced stays for a while, next to the one that follows it.
    const earlier = this.#mounts.get(upstream.name) ?? 0
    this.#mounts.set(upstream.name, earlier + 1)
    const prefix = `${upstream.name}${earlier === 0 ? '' : `.${earlier}`}__`
    const unmount = this.server.mount(part, {
      prefix,
      ambiguous: 'refuse',
      instructions: true,
      ...(timeoutMs !== undefined && { timeoutMs }),
    })
    const member: Member = { upstream, prefix, gate, unmount, offers }
    this.#byPrefix.set(prefix, member)
    return member
  }

  #retire({ gate, upstream, unmount }: Member): void {
    gate.retire()
    void upstream.idle().then(unmount)
  }
}

/** The upstreams of a virtual server, and what is taken of each. */
function membersOf({ upstreams }: VirtualServerConfig, all: readonly string[]): ReadonlyMap<string, MemberConfig> {
  if (upstreams === undefined) return new Map(all.map((name) => [name, {}]))
  return new Map(Object.entries(upstreams).map(([name, how]) => [name, how ?? {}]))
}

/** What the upstream offers at all, and what the virtual server takes of that. */
function offersOf(upstream: UpstreamConfig, member: MemberConfig): OfferFilter | undefined {
  const filters = [upstream, member].flatMap(({ include = [], exclude = [] }) =>
    include.length + exclude.length === 0 ? [] : [offerRules(include, exclude)],
  )
  return filters.length === 0 ? undefined : (offer) => filters.every((isTaken) => isTaken(offer))
}
