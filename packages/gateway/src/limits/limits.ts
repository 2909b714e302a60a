import { ErrorCode, RpcError } from '@tenon/sdk/client'
import type { GatewayRequest } from '../model.ts'
import { compileMatch } from '../policy/item-match.ts'
import type { ItemMatch } from '../policy/types.ts'
import type { CounterLimit, CounterStore } from './counters.ts'

/** The parts of a request that have a counter of their own; `item` is the tool, prompt or resource. */
export type CounterScope = 'caller' | 'server' | 'upstream' | 'item'

/** A rate limit or a quota. */
export interface LimitRule {
  readonly name: string
  readonly match: ItemMatch
  /** Without `caller` all callers share a counter. */
  readonly per: readonly CounterScope[]
  readonly everyMs: number
  readonly requests?: number
  /** Of arguments and results, estimated. */
  readonly tokens?: number
}

interface Counted {
  readonly rule: LimitRule
  applies: ReturnType<typeof compileMatch>
  readonly requests: readonly CounterLimit[]
  readonly tokens: readonly CounterLimit[]
}

/** A limit that a request would exceed. */
export class LimitExceeded extends RpcError {
  readonly limit: string

  constructor(limit: string, retryAfterMs: number) {
    super(ErrorCode.InternalError, 'Too many requests: a limit of the gateway was reached', { retryAfterMs })
    this.limit = limit
  }
}

/** Counts requests and tokens. */
export class Limits {
  readonly #counted: readonly Counted[]
  readonly #store: CounterStore
  readonly countsTokens: boolean

  constructor(rules: readonly LimitRule[], store: CounterStore) {
    const limitOf = (max: number | undefined, perMs: number): CounterLimit[] =>
      max === undefined ? [] : [{ max, perMs }]
    this.#counted = rules.map((rule) => ({
      rule,
      applies: compileMatch(rule.match),
      requests: limitOf(rule.requests, rule.everyMs),
      tokens: limitOf(rule.tokens, rule.everyMs),
    }))
    this.#store = store
    this.countsTokens = rules.some(({ tokens }) => tokens !== undefined)
  }

  /** Counts a request with the tokens of its arguments; throws `LimitExceeded`. */
  async take(request: GatewayRequest, tokens: number): Promise<void> {
    for (const counted of this.#of(request)) {
      const { rule } = counted
      for (const [unit, cost, limits] of [
        ['requests', 1, counted.requests],
        ['tokens', tokens, counted.tokens],
      ] as const) {
        if (limits.length === 0) continue
        const taken = this.#store.take(keyOf(rule, unit, request), cost, limits)
        const { allowed, retryAfterMs } = taken instanceof Promise ? await taken : taken
        if (!allowed) throw new LimitExceeded(rule.name, retryAfterMs)
      }
    }
  }

  /** Counts the tokens of a result, after the work is done. */
  async charge(request: GatewayRequest, tokens: number): Promise<void> {
    for (const { rule, tokens: limits } of this.#of(request)) {
      if (limits.length === 0) continue
      const key = keyOf(rule, 'tokens', request)
      await (this.#store.charge === undefined
        ? this.#store.take(key, tokens, limits)
        : this.#store.charge(key, tokens, limits))
    }
  }

  #of({ server, item }: GatewayRequest): Counted[] {
    return this.#counted.filter(({ applies }) => applies(server, item))
  }
}

/** Names of peers are in it as JSON, so that none of them can look like two. */
function keyOf({ name, per }: LimitRule, unit: string, { caller, server, item }: GatewayRequest): string {
  const parts = new Map<CounterScope, unknown>([
    ['caller', caller.id],
    ['server', server],
    ['upstream', item.upstream],
    ['item', [item.upstream, item.kind, item.name]],
  ])
  return JSON.stringify([name, unit, ...per.map((scope) => parts.get(scope))])
}
