import type {
  CreateMessageParams,
  ElicitFormParams,
  ElicitResult,
  ElicitUrlParams,
  JsonObject,
} from '@tenon/sdk/client'
import type { Use } from '../consent/gate.ts'
import type { ConsentItem } from '../consent/types.ts'
import { HostError, messageOf } from '../host-error.ts'
import { unlessAborted } from '../servers/pause.ts'
import type {
  Answer,
  Ask,
  CallInfo,
  ConsentAnswer,
  EditedConsent,
  EditedSample,
  Question,
  TrustQuestion,
} from './types.ts'

/** The server that asks, and the call during which it does. */
export interface Asker {
  readonly server: string
  readonly info?: Question['info']
  readonly call?: CallInfo | undefined
  readonly signal?: AbortSignal | undefined
}

type WithoutBase<Q extends Question> = Omit<Q, 'server' | 'info' | 'call' | 'signal'>
type Asked = { [Kind in Question['kind']]: WithoutBase<Extract<Question, { kind: Kind }>> }[Question['kind']]

const consentAnswers: readonly ConsentAnswer[] = ['once', 'session', 'always', 'deny']
const actions: readonly ElicitResult['action'][] = ['accept', 'decline', 'cancel']

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Asks through the one callback, and checks its answers. An answer that cannot be used is no consent. */
export class AskPerson {
  readonly #ask: Ask | undefined

  constructor(ask: Ask | undefined) {
    this.#ask = ask
  }

  /** Whether there is anybody to ask. */
  get exists(): boolean {
    return this.#ask !== undefined
  }

  async consent(item: ConsentItem, args: JsonObject, rule: string, use: Use): Promise<EditedConsent> {
    const { kind, server, name, tool, warnings } = item
    const question = { kind: 'consent', item: kind, name, ...(tool && { tool }), args, rule, warnings } as const
    const answer = await this.#put({ server, ...use }, question)
    const edited: unknown = typeof answer === 'string' ? { answer } : answer
    if (!isObject(edited) || !consentAnswers.includes(edited.answer as ConsentAnswer)) {
      throw unusable('consent', `one of ${consentAnswers.join(', ')}`, answer)
    }
    if (edited.args !== undefined && !isObject(edited.args)) throw unusable('consent', 'args as an object', edited.args)
    return edited as unknown as EditedConsent
  }

  async trust(asker: Asker, question: WithoutBase<TrustQuestion>): Promise<boolean> {
    const answer = await this.#put(asker, question)
    if (answer !== 'approve' && answer !== 'deny') throw unusable('trust', 'approve or deny', answer)
    return answer === 'approve'
  }

  form(asker: Asker, { message, requestedSchema }: ElicitFormParams): Promise<ElicitResult> {
    return this.#elicit(asker, { kind: 'form', message, schema: requestedSchema })
  }

  page(asker: Asker, { message, url }: ElicitUrlParams): Promise<ElicitResult> {
    return this.#elicit(asker, { kind: 'page', message, url, host: new URL(url).host })
  }

  async sample(asker: Asker, request: CreateMessageParams): Promise<EditedSample> {
    const answer = await this.#put(asker, { kind: 'sample', request })
    const edited = typeof answer === 'string' ? { answer } : answer
    if (!isObject(edited) || !['once', 'session', 'deny'].includes(edited.answer as string)) {
      throw unusable('sample', 'one of once, session, deny', answer)
    }
    return edited as unknown as EditedSample
  }

  async #elicit(asker: Asker, question: Asked): Promise<ElicitResult> {
    const answer = await this.#put(asker, question)
    if (!isObject(answer) || !actions.includes(answer.action as ElicitResult['action'])) {
      throw unusable(question.kind, `an action: ${actions.join(', ')}`, answer)
    }
    return answer as unknown as ElicitResult
  }

  async #put({ server, info, call, signal }: Asker, question: Asked): Promise<Answer> {
    if (this.#ask === undefined) throw new HostError('denied', `${server} asks, and the host has no \`ask\``)
    const live = signal ?? new AbortController().signal
    const full = { ...question, server, ...(info && { info }), ...(call && { call }), signal: live } as Question
    try {
      return await unlessAborted(Promise.resolve(this.#ask(full)), signal)
    } catch (error) {
      if (live.aborted) throw error
      throw new HostError('denied', `The question of ${server} was not answered: ${messageOf(error)}`, { cause: error })
    }
  }
}

const unusable = (kind: string, expected: string, found: unknown): HostError => {
  const what = typeof found === 'string' ? JSON.stringify(found) : typeof found
  return new HostError('invalid_argument', `ask answered ${kind} with ${what}: expected ${expected}`)
}
