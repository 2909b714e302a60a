import { McpError } from '../../../errors.ts'
import { unlessAborted } from '../../../internal/abort.ts'
import { pause } from '../../../internal/timers.ts'
import type { DetailedTask } from '../../../model/tasks.ts'
import { answerInputRequests, assertInputLimit, type EmbeddedRequest } from '../../input/input-requests.ts'
import { isPassing, maxFailures, retryMs } from './pauses.ts'
import type { PolledTask } from './polled-task.ts'

type Asked = [key: string, question: EmbeddedRequest]

/** Input requests that came together, while they are answered. */
interface Round {
  keys: readonly string[]
  stop: AbortController
  /** True once the answers are on their way. */
  answered: boolean
}

/** Answers each input request of a task once, however often it is polled. New ones do not wait for others. */
export class TaskInputRequests {
  readonly #polled: PolledTask
  readonly #seen = new Set<string>()
  readonly #open = new Set<Round>()
  #rounds = 0
  #repeats = 0

  constructor(polled: PolledTask) {
    this.#polled = polled
    polled.signal.addEventListener('abort', () => this.#withdraw(new Set()))
  }

  /** True while answers are missing. */
  get isWaiting(): boolean {
    return this.#open.size > 0
  }

  update({ status, inputRequests = {} }: DetailedTask): void {
    const asked: Asked[] = status === 'input_required' ? Object.entries(inputRequests) : []
    assertInputLimit(asked.length, 'tasks/get', this.#polled.host.sources)
    this.#withdraw(new Set(asked.map(([key]) => key)))
    const fresh = asked.filter(([key]) => !this.#seen.has(key))
    if (fresh.length > 0) this.#begin(fresh)
    else if (status === 'input_required' && this.#open.size === 0) this.#repeated(asked)
    else this.#repeats = 0
  }

  /** Withdraws requests that the task does not list any more. */
  #withdraw(asked: ReadonlySet<string>): void {
    for (const { keys, stop, answered } of this.#open) {
      if (!answered && !keys.some((key) => asked.has(key))) stop.abort()
    }
  }

  #begin(fresh: Asked[]): void {
    const { maxRounds } = this.#polled.host.sources.settings
    this.#rounds += 1
    this.#repeats = 0
    if (this.#rounds > maxRounds)
      throw new McpError('invalid_result', `The task asked for input more than ${maxRounds} times`)
    for (const [key] of fresh) this.#seen.add(key)
    const round: Round = { keys: fresh.map(([key]) => key), stop: new AbortController(), answered: false }
    this.#open.add(round)
    this.#answer(fresh, round)
      .catch((error: unknown) => {
        if (!round.stop.signal.aborted) this.#polled.stop(error as Error)
      })
      .finally(() => {
        this.#open.delete(round)
        this.#polled.answered()
      })
  }

  async #answer(fresh: Asked[], round: Round): Promise<void> {
    const { host } = this.#polled
    const { signal } = round.stop
    const { origin } = this.#polled
    const asking = { connection: host.connection.latest, method: 'tasks/get', signal, origin }
    const inputResponses = await unlessAborted('The task', answerInputRequests(fresh, asking, host.sources), signal)
    round.answered = true
    await this.#send({ inputResponses })
  }

  /** A short outage of the server does not make the user answer again. */
  async #send(answers: { inputResponses: object }): Promise<void> {
    const { host, signal } = this.#polled
    for (let failures = 1; !signal.aborted; failures++) {
      try {
        await this.#polled.call('tasks/update', answers)
        return
      } catch (error) {
        if (!isPassing(error) || host.connection.ended !== undefined || failures > maxFailures) throw error
        await pause(retryMs(failures), signal)
      }
    }
  }

  /** An answer may take a while to show. A server that never sees it would be polled for ever. */
  #repeated(asked: readonly Asked[]): void {
    const { maxRounds } = this.#polled.host.sources.settings
    this.#repeats += 1
    if (this.#repeats <= maxRounds) return
    const what = asked.length === 0 ? 'input and says not which' : `${JSON.stringify(asked[0]![0].slice(0, 40))} again`
    throw new McpError('invalid_result', `The task asks for ${what}, after ${maxRounds} looks at it`)
  }
}
