import { randomBytes } from 'node:crypto'
import { type Caller, type ConnectionInfo, ToolError } from '@tenon/sdk/server'
import { bytesOf, Chain, type Thought } from './chain.ts'

/** Bounds of all that clients make the server keep. */
export interface ChainLimits {
  /** Thoughts of one chain. */
  readonly maxThoughts: number
  /** Bytes of one chain. */
  readonly maxChainBytes: number
  /** Bytes of all chains together; above it the longest unused one is forgotten. */
  readonly maxTotalBytes: number
  /** Chains of one principal, or of all clients without one; above it the longest unused one is forgotten. */
  readonly maxChains: number
}

const idPattern = /^[0-9a-f]{32}$/

/**
 * The chains of all clients. A connection has a chain of its own, which nobody has to name. Where every request is a
 * connection, as over HTTP in revisions without sessions, a chain is found by the id that its first thought was given:
 * 128 random bits, which nobody can guess, and which only work for the principal that got them.
 */
export class Chains {
  readonly #limits: () => ChainLimits
  /** The longest unused one comes first. */
  readonly #chains = new Map<string, Chain>()
  /** By connection and principal: a session may be used with several tokens. */
  readonly #current = new WeakMap<ConnectionInfo, Map<string | undefined, string>>()
  #bytes = 0

  constructor(limits: () => ChainLimits) {
    this.#limits = limits
  }

  /** Adds a thought to a chain: the named one, a new one (`new`), or the one of the connection. */
  add(caller: Caller, id: string | undefined, thought: Thought): { chain: Chain; isNew: boolean } {
    const known = id === 'new' ? undefined : this.find(caller, id)
    if (id !== undefined && id !== 'new' && known === undefined) throw unknownChain(id)
    const chain = known ?? new Chain(randomBytes(16).toString('hex'), caller.auth?.principal)
    this.#refuse(chain, thought)
    chain.add(thought)
    this.#bytes += bytesOf(thought)
    this.#use(caller, chain)
    this.#forgetUnused(chain)
    return { chain, isNew: known === undefined }
  }

  /** The chain with an id, or that of the connection; undefined if there is none that the caller may see. */
  find(caller: Caller, id: string | undefined): Chain | undefined {
    const { auth, connection } = caller
    const wanted = id ?? this.#current.get(connection)?.get(auth?.principal)
    const chain = wanted !== undefined && idPattern.test(wanted) ? this.#chains.get(wanted) : undefined
    return chain?.owner === auth?.principal ? chain : undefined
  }

  /** The chains that a caller is known to have: those of its principal, or the one of its connection. */
  visibleTo(caller: Caller): Chain[] {
    const { auth } = caller
    if (auth !== undefined) return [...this.#chains.values()].filter(({ owner }) => owner === auth.principal)
    const own = this.find(caller, undefined)
    return own === undefined ? [] : [own]
  }

  /** Forgets a chain; true if there was one. */
  forget(caller: Caller, id: string | undefined): boolean {
    const chain = this.find(caller, id)
    if (chain === undefined) return false
    this.#drop(chain)
    return true
  }

  #refuse(chain: Chain, thought: Thought): void {
    const { maxThoughts, maxChainBytes } = this.#limits()
    const isFull = chain.thoughts.length >= maxThoughts || chain.bytes + bytesOf(thought) > maxChainBytes
    if (!isFull) return
    throw new ToolError(
      `The chain is full: it has ${chain.thoughts.length} thoughts with ${chain.bytes} bytes, and ${maxThoughts} thoughts or ${maxChainBytes} bytes are allowed. Sum it up, and begin another one with "chain": "new".`,
    )
  }

  #use({ connection, auth }: Caller, chain: Chain): void {
    this.#chains.delete(chain.id)
    this.#chains.set(chain.id, chain)
    const byPrincipal = this.#current.get(connection) ?? new Map()
    this.#current.set(connection, byPrincipal.set(auth?.principal, chain.id))
  }

  #forgetUnused(used: Chain): void {
    const { maxChains, maxTotalBytes } = this.#limits()
    const own = [...this.#chains.values()].filter(({ owner }) => owner === used.owner)
    for (const chain of own.slice(0, Math.max(0, own.length - maxChains))) this.#drop(chain)
    while (this.#bytes > maxTotalBytes && this.#chains.size > 1)
      this.#drop(this.#longestUnusedOf(this.#largestOwner(), used))
  }

  /** One client that fills the memory loses its own chains, and not those of others. */
  #largestOwner(): string | undefined {
    const bytes = new Map<string | undefined, number>()
    for (const chain of this.#chains.values()) bytes.set(chain.owner, (bytes.get(chain.owner) ?? 0) + chain.bytes)
    return [...bytes].reduce((largest, one) => (one[1] > largest[1] ? one : largest))[0]
  }

  #longestUnusedOf(owner: string | undefined, used: Chain): Chain {
    const others = [...this.#chains.values()].filter((chain) => chain !== used)
    return others.find((chain) => chain.owner === owner) ?? others[0]!
  }

  #drop(chain: Chain): void {
    if (this.#chains.delete(chain.id)) this.#bytes -= chain.bytes
  }
}

/** The same for a chain of somebody else and for one that never was. */
export const unknownChain = (id: string | undefined): ToolError =>
  new ToolError(
    id === undefined
      ? 'There are no thoughts yet. Begin with sequentialthinking; if you have an id of a chain, pass it as "chain".'
      : `There is no chain ${JSON.stringify(id.slice(0, 64))}: it was forgotten, or the id is wrong. Begin another one with "chain": "new".`,
  )
