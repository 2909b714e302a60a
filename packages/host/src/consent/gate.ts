import type { JsonObject } from '@tenon/sdk/client'
import type { Audit } from '../audit/audit.ts'
import { HostError } from '../host-error.ts'
import type { AskPerson } from '../questions/ask-person.ts'
import type { CallInfo } from '../questions/types.ts'
import { defaultDecision } from './default-decision.ts'
import type { RememberedConsents } from './remembered.ts'
import type { Consent, ConsentItem, Decision } from './types.ts'

interface GateParts {
  readonly consent: Consent | undefined
  readonly session: JsonObject
  readonly remembered: RememberedConsents
  readonly person: AskPerson
  readonly audit: Audit | undefined
}

/** The circumstances of one use. */
export interface Use {
  readonly call?: CallInfo
  readonly signal?: AbortSignal | undefined
}

/** Decides what is listed and what may be done, and asks where the rules say so. */
export class ConsentGate {
  readonly #parts: GateParts
  /** Questions about the same thing wait for each other: the first answer may be for all of them. */
  readonly #asking = new Map<string, Promise<unknown>>()

  constructor(parts: GateParts) {
    this.#parts = parts
  }

  /** Whether anything could be allowed with this item. */
  isListed(item: ConsentItem): boolean {
    const decision = this.#decide(item, undefined)
    return decision instanceof Promise || decision.verdict !== 'deny'
  }

  /** The arguments to use, which a person may have edited; without a promise if nobody has to be asked. */
  permit(item: ConsentItem, args: JsonObject, use: Use): JsonObject | Promise<JsonObject> {
    const decision = this.#decide(item, args)
    if (decision instanceof Promise) return decision.then((made) => this.#apply(made, item, args, use))
    return this.#apply(decision, item, args, use)
  }

  #decide(item: ConsentItem, args: JsonObject | undefined): Decision | Promise<Decision> {
    const { consent, session } = this.#parts
    const decision = consent?.decide(item, { args, session })
    if (decision instanceof Promise) return decision.then((made) => withWarnings(item, made ?? defaultDecision(item)))
    return withWarnings(item, decision ?? defaultDecision(item))
  }

  #apply(decision: Decision, item: ConsentItem, args: JsonObject, use: Use): JsonObject | Promise<JsonObject> {
    const { verdict, rule } = decision
    if (verdict === 'allow') return this.#allowed(item, args, use, rule)
    if (verdict === 'deny') throw this.#denied(item, args, use, rule, `the rule "${rule}" denies it`)
    if (this.#parts.remembered.has(item, rule)) return this.#allowed(item, args, use, `an earlier answer to "${rule}"`)
    return this.#inTurn(item, () => this.#ask(item, args, use, rule))
  }

  #allowed(item: ConsentItem, args: JsonObject, use: Use, by: string): JsonObject {
    this.#note(item, args, use, 'allow', by)
    return args
  }

  async #ask(item: ConsentItem, args: JsonObject, use: Use, rule: string): Promise<JsonObject> {
    const { remembered, person } = this.#parts
    if (remembered.has(item, rule)) return this.#allowed(item, args, use, `an earlier answer to "${rule}"`)
    if (!person.exists) {
      throw this.#denied(item, args, use, rule, `"${rule}" wants a question, and the host has no \`ask\``)
    }
    // A copy: arguments that change while the person reads them would not be the ones that were allowed.
    const shown = structuredClone(args)
    const { answer, args: edited = shown } = await person.consent(item, shown, rule, use)
    if (answer === 'deny') throw this.#denied(item, shown, use, 'person', 'the person said no')
    if (edited !== shown) {
      const again = await this.#decide(item, edited)
      if (again.verdict === 'deny')
        throw this.#denied(item, edited, use, again.rule, `the rule "${again.rule}" denies it`)
    }
    if (answer !== 'once') await remembered.add(item, rule, answer === 'always')
    this.#note(item, edited, use, answer, 'person')
    return edited
  }

  async #inTurn(item: ConsentItem, work: () => Promise<JsonObject>): Promise<JsonObject> {
    const key = JSON.stringify([item.kind, item.server, item.name])
    const before = this.#asking.get(key)
    const turn = (before ?? Promise.resolve()).then(work, work)
    this.#asking.set(key, turn)
    try {
      return await turn
    } finally {
      if (this.#asking.get(key) === turn) this.#asking.delete(key)
    }
  }

  #denied(item: ConsentItem, args: JsonObject, use: Use, by: string, why: string): HostError {
    this.#note(item, args, use, 'deny', by)
    const { kind, server, name } = item
    return new HostError('denied', `The ${kind} ${JSON.stringify(name)} of ${server} is not allowed: ${why}`)
  }

  #note({ kind, server, name }: ConsentItem, args: JsonObject, use: Use, verdict: string, by: string): void {
    const callId = use.call?.callId
    this.#parts.audit?.record({
      type: kind === 'tool' ? 'call' : kind,
      server,
      name,
      ...(callId !== undefined && { callId }),
      verdict,
      by,
      args,
    })
  }
}

/** Nothing suspicious runs without a question, unless its server is trusted. */
function withWarnings({ trusted, warnings }: ConsentItem, decision: Decision): Decision {
  if (decision.verdict !== 'allow' || trusted || warnings.length === 0) return decision
  return { verdict: 'ask', rule: `${decision.rule}, with a warning` }
}
