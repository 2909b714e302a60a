// Loaded with the first visit: a workbench without evaluations needs none of it.
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { evalsJunit, LastRun } from '@tenon/host/evals'
import { offline, readModelName } from '../playground/model-name.ts'
import { RequestProblem } from '../problem.ts'
import type { EvalCommands } from '../protocol.ts'
import type { Workbench } from '../workbench.ts'
import { EvalFiles } from './eval-files.ts'
import { Evaluation, type EvalWish, totalOf } from './evaluation.ts'

const maxRunning = 4
const maxKept = 20
/** Each conversation may cost money. */
const maxConversations = 2_000

/** Files of prompts with checks, and the last evaluation of each. */
export class Evals {
  readonly files: EvalFiles
  readonly #bench: Workbench
  readonly #folder: string
  readonly #runs = new Map<string, Evaluation>()

  /** `folder` is for files of this person, `cases` for those of evaluations. */
  constructor(bench: Workbench, folder: string, cases: string) {
    this.#bench = bench
    this.#folder = folder
    this.files = new EvalFiles(cases)
  }

  async run(suite: string, wish: Partial<EvalWish>): Promise<string> {
    const file = await this.files.load(suite)
    const models = (wish.models ?? (file.models.length > 0 ? file.models : [offline])).map(readModelName)
    const whole = { ...wish, models: [...new Set(models)] }
    const total = totalOf(file, whole)
    if (total > maxConversations) {
      throw new RequestProblem(`These are ${total} conversations: expected at most ${maxConversations}`)
    }
    if (this.#runs.get(suite)?.isRunning) throw new RequestProblem('This file is being run already', 'Stop it first.')
    if ([...this.#runs.values()].filter(({ isRunning }) => isRunning).length >= maxRunning) {
      throw new RequestProblem(`${maxRunning} files are being run already`)
    }
    const last = new LastRun(join(this.files.shelf.folder.path, suite), this.#folder)
    const id = randomUUID()
    const run = new Evaluation(this.#bench, file, id, whole, last)
    this.#keep(suite, run)
    return id
  }

  stop(suite: string): void {
    this.#runs.get(suite)?.stop()
  }

  agree(suite: string, challenge: string, agreed: boolean): void {
    const run = this.#runs.get(suite)
    if (run === undefined) throw new RequestProblem('Nobody waits for this answer any more')
    run.agreement.answer(challenge, agreed)
  }

  last(suite: string): EvalCommands['evals.last']['result'] {
    const run = this.#runs.get(suite)
    return { conversations: run?.conversations ?? [], ...(run && { run: run.view }) }
  }

  conversation(suite: string, number: number): EvalCommands['evals.conversation']['result'] {
    const run = this.#known(suite)
    const answer = run.answerOf(number)
    if (answer === undefined) throw new RequestProblem('This conversation made room for later ones')
    const { name } = run.conversations[number]!
    return { prompt: run.file.cases.find((one) => one.name === name)?.prompt ?? name, answer }
  }

  report(suite: string, format: 'junit' | 'json'): EvalCommands['evals.report']['result'] {
    const { report } = this.#known(suite)
    if (report === undefined) throw new RequestProblem('This evaluation has not ended by itself', 'Run it to its end.')
    const name = suite.replace(/\.\w+$/, '')
    if (format === 'junit') return { name: `${name}.xml`, text: evalsJunit([report]) }
    return { name: `${name}-report.json`, text: `${JSON.stringify(report, undefined, 2)}\n` }
  }

  async close(): Promise<void> {
    for (const run of this.#runs.values()) run.stop()
    await Promise.all([...this.#runs.values()].map(({ ended }) => ended))
  }

  #known(suite: string): Evaluation {
    const run = this.#runs.get(suite)
    if (run === undefined) throw new RequestProblem('This file was not run yet')
    return run
  }

  #keep(suite: string, run: Evaluation): void {
    this.#runs.delete(suite)
    this.#runs.set(suite, run)
    for (const [oldest, { isRunning }] of this.#runs) {
      if (this.#runs.size <= maxKept) break
      if (!isRunning) this.#runs.delete(oldest)
    }
  }
}
