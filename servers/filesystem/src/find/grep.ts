import { Worker } from 'node:worker_threads'
import { ToolError } from '@tenon/sdk/server'
import type { GrepJob, GrepMessage, GrepReport } from './grep-job.ts'

interface GrepOptions {
  readonly signal: AbortSignal
  readonly maxTimeMs: number
  readonly searched: (files: number) => unknown
}

/**
 * Searches in files, in a thread of its own: a regular expression can take longer than the universe lasts, and only a
 * thread can be stopped while it computes.
 */
export function grep(job: GrepJob, { signal, maxTimeMs, searched }: GrepOptions): Promise<GrepReport> {
  checkPattern(job)
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL('./grep-thread.js', import.meta.url), { workerData: job })
    const end = (settle: () => void): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
      void thread.terminate()
      settle()
    }
    const fail = (error: unknown): void => end(() => reject(error))
    const abort = (): void => fail(signal.reason)
    const timer = setTimeout(() => fail(new ToolError(tooSlow(maxTimeMs))), maxTimeMs)
    signal.addEventListener('abort', abort)
    thread.on('error', fail)
    thread.on('exit', () => fail(new ToolError('The search ended early. Try it on a smaller folder.')))
    thread.on('message', (message: GrepMessage) => {
      if ('searched' in message) searched(message.searched)
      else end(() => resolve(message.report))
    })
  })
}

function checkPattern({ pattern, literal }: GrepJob): void {
  if (literal) return
  try {
    new RegExp(pattern, 'u')
  } catch (error) {
    throw new ToolError(`${(error as Error).message}. Set literal to search for the text as it stands.`)
  }
}

const tooSlow = (milliseconds: number): string =>
  `The search took longer than ${milliseconds / 1000} s (--max-time) and was stopped. Search a smaller folder, or use a ` +
  'simpler pattern.'
