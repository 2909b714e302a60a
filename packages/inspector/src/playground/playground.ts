import { randomUUID } from 'node:crypto'
import type { TranscriptEntry } from '@tenon/host/chat'
import { RequestProblem } from '../problem.ts'
import type { BenchEvent, PlaygroundTurn, PlaygroundView } from '../protocol.ts'
import type { Workbench } from '../workbench.ts'
import type { PlaygroundConsent } from './consent.ts'
import { GrowingAnswer } from './growing-answer.ts'
import type { ModelKeys } from './model-keys.ts'
import { offline, placeOf } from './model-name.ts'

const maxTurns = 200
const maxText = 200_000
/** Characters of a conversation that goes on. The page is sent all of it when it is opened. */
const maxCharacters = 16 * 1024 * 1024

/** A message, its answers, and for each model the conversation before it. */
interface Turn {
  id: string
  text: string
  answers: GrowingAnswer[]
  before: (readonly TranscriptEntry[])[]
}

/** One conversation, with one model or with two side by side. */
export class Playground {
  readonly keys: ModelKeys
  readonly #bench: Workbench
  readonly #publish: (event: BenchEvent) => void
  #models: readonly string[] = [offline]
  #turns: Turn[] = []
  /** The conversation of each model after the last turn. */
  #after: (readonly TranscriptEntry[])[] = []
  #consent: PlaygroundConsent | undefined
  #running: { stop: AbortController; ended: Promise<unknown> } | undefined

  constructor(bench: Workbench, keys: ModelKeys, publish: (event: BenchEvent) => void) {
    this.#bench = bench
    this.keys = keys
    this.#publish = publish
  }

  get view(): PlaygroundView {
    return { models: [...this.#models], turns: this.#turns.map(viewOf), keys: this.keys.places }
  }

  turn(id: string): PlaygroundTurn {
    return viewOf(this.#find(id))
  }

  setModels(models: readonly string[]): void {
    this.#assertQuiet()
    this.#models = models
    this.#tell()
  }

  /** Keeps the key of the provider of a model; undefined forgets it. */
  async setKey(model: string, key: string | undefined): Promise<void> {
    if (model === offline) throw new RequestProblem(`The model ${offline} needs no key`)
    await this.keys.set(placeOf(model)!, key)
    this.#tell()
  }

  async forgetKeys(): Promise<void> {
    await this.keys.forget()
    this.#tell()
  }

  /** Puts a message to the models. With a turn, that one and all after it are taken back first. */
  send(text: string, from?: string): string {
    this.#assertQuiet()
    if (text.trim() === '' || text.length > maxText) {
      throw new RequestProblem(`text: expected 1 to ${maxText} characters, got ${text.length}`)
    }
    if (from !== undefined) this.#takeBack(from)
    if (this.#turns.length >= maxTurns || JSON.stringify(this.view).length > maxCharacters) {
      throw new RequestProblem('This conversation is as long as it may be', 'Begin a new one.')
    }
    const id = randomUUID()
    // A model that joins later knows the conversation of the first one.
    const before = this.#models.map((_, index) => this.#after[index] ?? this.#after[0] ?? [])
    const answers = this.#models.map(
      (model, index) =>
        new GrowingAnswer(model, `${id} ${index}`, (answer) =>
          this.#publish({ type: 'playground-answer', turn: id, index, answer }),
        ),
    )
    this.#turns.push({ id, text, answers, before })
    this.#tell()
    const stop = new AbortController()
    const ended = this.#converse(text, answers, before, stop.signal).finally(() => {
      this.#running = undefined
    })
    this.#running = { stop, ended }
    return id
  }

  async #converse(
    text: string,
    answers: readonly GrowingAnswer[],
    before: Turn['before'],
    signal: AbortSignal,
  ): Promise<void> {
    const { converse, PlaygroundConsent } = await import('./converse.ts')
    this.#consent ??= new PlaygroundConsent(this.#bench.questions)
    const shared = { bench: this.#bench, keys: this.keys, consent: this.#consent, text, signal }
    const models = this.#models
    this.#after = await Promise.all(
      answers.map((answer, index) => converse({ ...shared, answer, model: models[index]!, before: before[index]! })),
    )
  }

  /** Ends the answers that are being given. */
  async stop(): Promise<void> {
    this.#running?.stop.abort()
    await this.#running?.ended
  }

  /** Begins a new conversation, in which nothing is allowed yet. */
  async clear(): Promise<void> {
    await this.stop()
    this.#turns = []
    this.#after = []
    this.#consent?.forget()
    this.#tell()
  }

  #takeBack(id: string): void {
    const turn = this.#find(id)
    this.#turns = this.#turns.slice(0, this.#turns.indexOf(turn))
    this.#after = turn.before
  }

  #find(id: string): Turn {
    const turn = this.#turns.find((one) => one.id === id)
    if (turn === undefined) throw new RequestProblem('This message was taken back')
    return turn
  }

  #assertQuiet(): void {
    if (this.#running !== undefined) throw new RequestProblem('An answer is being given', 'Wait for it, or stop it.')
  }

  #tell(): void {
    this.#publish({ type: 'playground', playground: this.view })
  }
}

const viewOf = ({ id, text, answers }: Turn): PlaygroundTurn => ({
  id,
  text,
  answers: answers.map(({ view }) => view),
})
