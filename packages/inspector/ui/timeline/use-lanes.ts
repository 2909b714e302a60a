import { useEffect, useRef, useState } from 'react'
import type { TimelineLanes } from '../../src/protocol.ts'
import { run } from '../state/api.ts'
import { useBench } from '../state/store.ts'
import type { TimeWindow } from './lane-view.ts'
import { useSource } from './source.ts'

interface Wish {
  query: string
  window: TimeWindow | undefined
  width: number
  top: number
  rows: number
}

/** Lanes, and the query that they match. */
interface Answer {
  query: string | undefined
  lanes: TimelineLanes
}

const nothing: Answer = {
  query: undefined,
  lanes: { begin: 0, end: 0, groups: [], bars: [], total: 0, problems: [] },
}

/** The share of time for new messages: to lay out many takes the backend longer than a few. */
const share = 4
const leastPauseMs = 100

/**
 * The bars in view, and as many on both sides, so that moving shows something at once. One request at a time; while one is
 * on its way the latest one waits. New messages alone wait a while longer.
 */
export function useLanes(wish: Wish): Answer {
  const { query, window, width, top, rows } = wish
  const range = useBench((bench) => bench.timeline)
  const source = useSource()
  const [answer, setAnswer] = useState(nothing)
  const [loader] = useState(() => new Loader(setAnswer))
  const seen = useRef(range)
  useEffect(() => {
    const isOnlyNew = seen.current !== range
    seen.current = range
    const length = window === undefined ? 0 : window.to - window.from
    loader.load(
      {
        query,
        width: Math.max(1, width) * (window === undefined ? 1 : 3),
        top,
        rows,
        ...(window && { from: Math.max(0, window.from - length), to: window.to + length }),
        ...source,
      },
      isOnlyNew,
    )
  }, [query, window, width, top, rows, range, source, loader])
  useEffect(() => () => loader.stop(), [loader])
  return answer
}

type Params = Parameters<typeof run<'timeline.lanes'>>[1]

class Loader {
  readonly #show: (answer: Answer) => void
  #wish: Params | undefined
  /** Whether only new messages are missing. */
  #mayWait = true
  #loading = false
  #pauseUntil = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(show: (answer: Answer) => void) {
    this.#show = show
  }

  load(wish: Params, mayWait: boolean): void {
    this.#mayWait = mayWait && (this.#wish === undefined || this.#mayWait)
    this.#wish = wish
    if (!this.#loading) this.#plan()
  }

  stop(): void {
    this.#wish = undefined
    clearTimeout(this.#timer)
  }

  #plan(): void {
    clearTimeout(this.#timer)
    const pause = this.#mayWait ? this.#pauseUntil - performance.now() : 0
    if (pause > 0) this.#timer = setTimeout(() => void this.#run(), pause)
    else void this.#run()
  }

  async #run(): Promise<void> {
    const wish = this.#wish
    if (wish === undefined) return
    this.#wish = undefined
    this.#loading = true
    const start = performance.now()
    try {
      this.#show({ query: wish.query, lanes: await run('timeline.lanes', wish) })
    } catch {
      // The stream of events shows whether the backend is there.
    }
    this.#loading = false
    const end = performance.now()
    this.#pauseUntil = end + Math.max(leastPauseMs, (end - start) * share)
    if (this.#wish !== undefined) this.#plan()
  }
}
