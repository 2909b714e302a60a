import { isObject } from '../read-params.ts'
import type { Entry } from './entry.ts'

/** Requests for the same state again and again, and their equal answers: the first of each stands for all of them. */
interface Run {
  request: Entry
  answer?: Entry
  /** The state that was answered, without the times in it. */
  state?: string
  /** The first request over HTTP that carried one of them. */
  http?: Entry
}

const maxRuns = 1_000
const maxState = 20_000

/**
 * Folds repeated polls of a task. An entry that is folded has the id of the entry that stands for it, which counts them; it is
 * kept like any other.
 */
export class Polls {
  readonly #runs = new Map<string, Run>()
  readonly #isKept: (id: number) => boolean
  /** The last poll of each connection, until its request over HTTP is known. */
  readonly #sent = new Map<string, { run: Run; characters: number }>()

  constructor(isKept: (id: number) => boolean) {
    this.#isKept = isKept
  }

  /** A request goes out. It is folded at once, and stands for itself if its answer is another one. */
  asked(request: Entry): void {
    if (request.method !== 'tasks/get' || request.name === undefined) {
      this.#sent.delete(connectionOf(request))
      return
    }
    const known = this.#runs.get(keyOf(request))
    const run = known !== undefined && this.#isKept(known.request.id) ? known : this.#begin(request)
    this.#sent.set(connectionOf(request), { run, characters: request.text.length })
    if (run.request !== request && run.answer !== undefined) fold(request, run.request)
  }

  /** Entries whose place has changed by it. */
  answered(request: Entry, answer: Entry, message: unknown): Entry[] {
    const run = this.#runs.get(keyOf(request))
    if (request.method !== 'tasks/get' || run === undefined) return []
    const state = stateIn(message)
    if (run.request === request) {
      Object.assign(run, { answer, state })
      return []
    }
    if (state !== undefined && state === run.state && run.answer !== undefined && request.fold !== undefined) {
      fold(answer, run.answer)
      return [answer, run.answer]
    }
    const changed = this.unfold(request)
    const { http } = run
    Object.assign(this.#begin(request), { answer, state, ...(http && { http }) })
    return changed
  }

  /** A poll that did not end like the others is shown. */
  unfold(request: Entry): Entry[] {
    if (request.fold === undefined) return []
    const head = this.#runs.get(keyOf(request))?.request
    request.fold = undefined
    if (head === undefined) return [request]
    head.repeats -= 1
    return [request, head]
  }

  /** A request over HTTP goes out right behind the message that it carries. */
  carried(http: Entry, bytes: number | undefined): void {
    const sent = this.#sent.get(connectionOf(http))
    if (sent === undefined || sent.characters !== bytes) return
    this.#sent.delete(connectionOf(http))
    const { run } = sent
    if (run.http !== undefined && this.#isKept(run.http.id)) fold(http, run.http)
    else run.http = http
  }

  clear(): void {
    this.#runs.clear()
    this.#sent.clear()
  }

  #begin(request: Entry): Run {
    const key = keyOf(request)
    const run: Run = { request }
    this.#runs.delete(key)
    this.#runs.set(key, run)
    if (this.#runs.size > maxRuns) this.#runs.delete(this.#runs.keys().next().value!)
    return run
  }
}

function fold(entry: Entry, head: Entry): void {
  entry.fold = head.id
  head.repeats += 1
}

const connectionOf = ({ server, connection }: Entry): string => `${server} ${connection}`

const keyOf = (entry: Entry): string => `${connectionOf(entry)} ${entry.name}`

/** The state of a task in an answer; undefined if it is none, or too large to be compared. */
function stateIn(message: unknown): string | undefined {
  if (!isObject(message) || !isObject(message.result)) return undefined
  const { lastUpdatedAt: _, _meta: __, ...state } = message.result
  const text = JSON.stringify(state)
  return text.length > maxState ? undefined : text
}
