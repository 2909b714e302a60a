import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { ToolError } from '@tenon/sdk/server'
import type { PageContent } from './page-content.ts'
import { simpleMarkdown } from './simple-markdown.ts'

export interface PageReaderLimits {
  /** Longest time for one page; then its text is read in a simpler way. */
  timeMs: () => number
  /** Larger pages are read in the simpler way from the start, as are pages with more tags. */
  maxCharacters: number
  maxTags: number
}

const defaults: PageReaderLimits = { timeMs: () => 5_000, maxCharacters: 5_000_000, maxTags: 100_000 }
const maxWaiting = 100

// Node 20 runs no TypeScript in workers, so sources use the built file.
const workerFile = new URL(
  import.meta.url.endsWith('.ts') ? '../../dist/page/page-worker.js' : './page-worker.js',
  import.meta.url,
)

/**
 * Reads pages in workers with bounded time, memory and stack: libraries for HTML need quadratic time for some pages, and
 * a page is written by a stranger. A worker that exceeds a bound is ended, and the page gets simple Markdown.
 */
export class PageReader {
  readonly #limits: PageReaderLimits
  readonly #size = Math.min(availableParallelism(), 4)
  readonly #idle: Worker[] = []
  readonly #waiting: (() => void)[] = []
  #busy = 0

  constructor(limits: Partial<PageReaderLimits> = {}) {
    this.#limits = { ...defaults, ...limits }
  }

  async read(html: string, url: string, signal: AbortSignal): Promise<PageContent> {
    if (html.length > this.#limits.maxCharacters || hasMoreTags(html, this.#limits.maxTags)) return simple(html)
    await this.#turn(signal)
    try {
      return (await this.#readInWorker(html, url, signal)) ?? simple(html)
    } finally {
      this.#busy--
      this.#waiting.shift()?.()
    }
  }

  async #turn(signal: AbortSignal): Promise<void> {
    if (this.#waiting.length >= maxWaiting) throw new ToolError('Too many pages at once. Try again in a moment.')
    while (this.#busy >= this.#size) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#busy++
    if (!signal.aborted) return
    this.#busy--
    this.#waiting.shift()?.()
    throw signal.reason
  }

  /** Undefined if the worker exceeds a bound. */
  #readInWorker(html: string, url: string, signal: AbortSignal): Promise<PageContent | undefined> {
    const worker = this.#idle.pop() ?? startWorker()
    return new Promise((resolve, reject) => {
      const settle = (keep: boolean, then: () => void): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', cancel)
        worker.off('message', answer).off('error', fail).off('exit', fail)
        if (keep) this.#keep(worker)
        else void worker.terminate()
        then()
      }
      const answer = ({ content }: { content?: PageContent }): void => settle(true, () => resolve(content))
      const fail = (): void => settle(false, () => resolve(undefined))
      const cancel = (): void => settle(false, () => reject(signal.reason))
      const timer = setTimeout(fail, this.#limits.timeMs())
      worker.on('message', answer).on('error', fail).on('exit', fail).ref()
      signal.addEventListener('abort', cancel)
      if (signal.aborted) return cancel()
      worker.postMessage({ html, url })
    })
  }

  /** An idle worker does not keep the process alive, and is gone without harm if it ends by itself. */
  #keep(worker: Worker): void {
    worker.unref()
    this.#idle.push(worker)
  }
}

function startWorker(): Worker {
  const worker = new Worker(workerFile, {
    resourceLimits: { maxOldGenerationSizeMb: 384, maxYoungGenerationSizeMb: 64, stackSizeMb: 4 },
    // Libraries may warn on the console; standard output belongs to the protocol.
    stdout: true,
    stderr: true,
    execArgv: [],
  })
  // The failure of a worker that nobody waits for concerns nobody.
  return worker.on('error', () => {})
}

function hasMoreTags(html: string, most: number): boolean {
  let count = 0
  for (let at = html.indexOf('<'); at !== -1; at = html.indexOf('<', at + 1)) if (++count > most) return true
  return false
}

const simple = (html: string): PageContent => ({
  markdown: simpleMarkdown(html),
  metadata: { ...titleOf(html), feeds: [], headings: [], meta: {} },
  links: [],
  images: [],
  tables: [],
  simplified: true,
})

function titleOf(html: string): { title?: string } {
  const [, title] = /<title[^>]{0,200}>([^<]{1,500})/i.exec(html.slice(0, 100_000)) ?? []
  return title === undefined ? {} : { title: simpleMarkdown(title) }
}
