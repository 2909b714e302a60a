import {
  compareRates,
  type EvalChange,
  type EvalEvent,
  type EvalRate,
  type EvalResult,
  type EvalRun,
  type EvalsFile,
  type EvalsReport,
  type LastRun,
  ratesOf,
  runEvals,
} from '@tenon/host/evals'
import { throttle } from '../events/throttle.ts'
import { Agreement } from '../files/file-servers.ts'
import { findModel } from '../playground/find-model.ts'
import { toProblem } from '../problem.ts'
import type { EvalConversation, EvalRateView, EvalRunView, PlaygroundAnswer } from '../protocol.ts'
import type { Workbench } from '../workbench.ts'
import { EvalServers } from './eval-servers.ts'
import { RunLog } from './run-log.ts'

const tellMs = 100
/** Characters of conversations that are kept to be read; the oldest make room. */
const maxCharacters = 16 * 1024 * 1024

/** The cases to try, and how. */
export interface EvalWish {
  models: readonly string[]
  runs?: number
  cases?: readonly number[]
}

/** One evaluation of a file: while it is going on, and what is known of it afterwards. */
export class Evaluation {
  readonly file: EvalsFile
  readonly agreement: Agreement
  /** Everything has ended, and processes are gone. */
  readonly ended: Promise<void>
  readonly conversations: EvalConversation[] = []
  report: (EvalsReport & { changes: EvalChange[] }) | undefined
  readonly #bench: Workbench
  readonly #wish: EvalWish
  readonly #last: LastRun
  #before: readonly EvalRate[] = []
  readonly #stop = new AbortController()
  readonly #answers = new Map<number, { answer: PlaygroundAnswer; characters: number }>()
  readonly #rates = new Map<string, EvalRateView>()
  readonly #tell: { (): void; flush(): void }
  #characters = 0
  #untold: EvalConversation[] = []
  #log: RunLog | undefined
  #view: Omit<EvalRunView, 'rates' | 'ended'>

  constructor(bench: Workbench, file: EvalsFile, id: string, wish: EvalWish, last: LastRun) {
    this.#bench = bench
    this.file = file
    this.#wish = wish
    this.#last = last
    this.#view = { id, suite: file.path, total: totalOf(file, wish), state: 'running' }
    this.#tell = throttle(tellMs, () => {
      bench.events.publish({ type: 'eval-run', run: this.view, conversations: this.#untold })
      this.#untold = []
    })
    this.agreement = new Agreement(bench, (challenge) => {
      const { challenge: _, ...rest } = this.#view
      this.#learn({ ...rest, ...(challenge && { challenge }) })
    })
    this.#tell()
    this.ended = this.#run()
  }

  get view(): EvalRunView {
    return { ...this.#view, ended: this.conversations.length, rates: [...this.#rates.values()] }
  }

  get isRunning(): boolean {
    return this.#view.state === 'running'
  }

  /** The answer of a conversation, unless it had to make room. */
  answerOf(number: number): PlaygroundAnswer | undefined {
    return this.#answers.get(number)?.answer
  }

  stop(): void {
    this.#stop.abort()
    this.agreement.giveUp()
  }

  async #run(): Promise<void> {
    const { models, runs, cases } = this.#wish
    const { signal } = this.#stop
    const { playground } = this.#bench
    await using servers = new EvalServers(this.#bench, this.file, this.agreement, {
      signal,
      sent: (call) => this.#log?.sent(call),
    })
    try {
      const before = await this.#last.load()
      this.#before = before
      const report = await runEvals(servers.fileToRun, {
        models,
        ...(runs !== undefined && { runs }),
        ...(cases && { filter: ({ index }) => cases.includes(index) }),
        findServer: ({ name }) => servers.find(name),
        findModel: (name) => findModel(name, playground.keys),
        signal,
        onEvent: (event) => this.#heard(event),
      })
      const rates = ratesOf(report.cases)
      await this.#last.save(before, rates)
      this.report = { ...report, changes: compareRates(before, rates) }
      this.#end('done')
    } catch (error) {
      this.#end('stopped', signal.aborted ? undefined : error)
    }
  }

  #heard(event: EvalEvent): void {
    const { now } = this.#view
    if (event.kind === 'started') {
      const { kind: _, ...begun } = event
      this.#log = new RunLog(event.model, `${this.#view.id} ${this.conversations.length}`)
      this.#learn({ ...this.#view, now: begun })
    } else if (event.kind === 'chat') this.#log?.take(event.event)
    else if (event.kind === 'ended') this.#keep(now!, event.run)
    else this.#decided(event.result)
  }

  #keep({ name, model }: NonNullable<EvalRunView['now']>, run: EvalRun): void {
    // A conversation that was stopped says nothing about the model.
    if (this.#stop.signal.aborted) return
    const number = this.conversations.length
    const { answer } = this.#log!
    const { length: characters } = JSON.stringify(answer)
    this.#answers.set(number, { answer, characters })
    this.#characters += characters
    for (const [oldest, { characters: freed }] of this.#answers) {
      if (this.#characters <= maxCharacters || oldest === number) break
      this.#answers.delete(oldest)
      this.#characters -= freed
    }
    const conversation = this.#log!.conversation(number, name, model, run)
    this.conversations.push(conversation)
    this.#untold.push(conversation)
    this.#rate(name, model, conversation.status === 'passed' ? 1 : 0, 1)
    this.#tell()
  }

  #rate(name: string, model: string, passed: number, runs: number): EvalRateView {
    const key = JSON.stringify([name, model])
    const needed = this.file.cases.find((one) => one.name === name)?.passRate ?? 1
    const known = this.#rates.get(key) ?? { name, model, status: 'running', passed: 0, runs: 0, needed }
    const next: EvalRateView = { ...known, passed: known.passed + passed, runs: known.runs + runs }
    this.#rates.set(key, next)
    return next
  }

  #decided(result: EvalResult): void {
    const { name, model, status } = result
    const rate = this.#rate(name, model, 0, 0)
    const [compared] = compareRates(this.#before, ratesOf([result]))
    const { before, change } = compared ?? {}
    rate.status = status
    if (before !== undefined) rate.before = { passed: before.passed, runs: before.runs }
    if (before !== undefined && change !== 'new' && change !== 'gone' && change !== undefined) rate.change = change
    this.#tell()
  }

  #end(state: 'done' | 'stopped', error?: unknown): void {
    const { now: _, ...rest } = this.#view
    for (const rate of this.#rates.values()) if (rate.status === 'running') rate.status = 'skipped'
    this.#learn({ ...rest, state, ...(error !== undefined && { problem: toProblem(error) }) })
    this.#tell.flush()
  }

  #learn(view: Omit<EvalRunView, 'rates' | 'ended'>): void {
    this.#view = view
    this.#tell()
  }
}

/** How many conversations an evaluation has. */
export function totalOf(file: EvalsFile, { models, runs, cases }: EvalWish): number {
  const chosen = file.cases.filter(({ index, skip }) => skip === undefined && (cases?.includes(index) ?? true))
  return chosen.reduce((sum, one) => sum + (runs ?? one.runs ?? file.runs), 0) * models.length
}
