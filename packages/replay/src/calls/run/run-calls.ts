import type { Client, ConnectOptions, Revision } from '@tenon/sdk/client'
import type { CallsFile, SavedCall, ServerSpec } from '../types.ts'
import type { Failure } from './assertions.ts'
import type { Outcome } from './operations.ts'
import { RevisionRun } from './revision-run.ts'

/** How saved calls are run. */
export interface RunOptions {
  /** Opens a connection; the options have to be passed on. Default: starts the command, or connects to the URL. */
  connect?: (server: ServerSpec, options: ConnectOptions) => Promise<Client>
  /** Instead of those of the file. */
  revisions?: readonly Revision[]
  /** Which calls to make. */
  filter?: (call: SavedCall) => boolean
  /** Values for variables, before those of the file. */
  variables?: { [name: string]: unknown }
  /** The values of `${env.NAME}`. Default: the variables of this process. */
  env?: { readonly [name: string]: string | undefined }
  /** Stop after the first failure. */
  bail?: boolean
  signal?: AbortSignal
  onEvent?: (event: RunEvent) => void
}

/** The result of one call in one revision. */
export interface CallResult {
  name: string
  index: number
  server: string
  /** The revision of the connection, or the requested one. */
  revision: string | undefined
  status: 'passed' | 'failed' | 'skipped'
  durationMs: number
  failures: Failure[]
  /** Warnings that fail nothing, or the reason for skipping. */
  warnings: string[]
  outcome?: Outcome
}

/** The results of a file. */
export interface RunResult {
  file: string
  title: string | undefined
  passed: number
  failed: number
  skipped: number
  durationMs: number
  calls: CallResult[]
}

export type RunEvent =
  | { kind: 'connected'; server: string; revision: string }
  | { kind: 'started'; call: SavedCall; revision: Revision | undefined }
  | { kind: 'finished'; result: CallResult }

/**
 * Makes the calls of a file, one after the other and in each revision, and checks their expectations.
 *
 * @example
 * const { failed } = await runCalls(await loadCallsFile('calls.yaml'))
 */
export async function runCalls(file: CallsFile, options: RunOptions = {}): Promise<RunResult> {
  const started = performance.now()
  const calls: CallResult[] = []
  for (const revision of options.revisions ?? file.revisions ?? [undefined]) {
    await using round = new RevisionRun(file, revision, options)
    for (const call of file.calls) {
      if (options.filter?.(call) === false) continue
      if (options.signal?.aborted || (options.bail && calls.some(({ status }) => status === 'failed'))) break
      options.onEvent?.({ kind: 'started', call, revision })
      const result = await round.run(call)
      calls.push(result)
      options.onEvent?.({ kind: 'finished', result })
    }
  }
  const count = (status: CallResult['status']): number => calls.filter((call) => call.status === status).length
  return {
    file: file.path,
    title: file.title,
    passed: count('passed'),
    failed: count('failed'),
    skipped: count('skipped'),
    durationMs: performance.now() - started,
    calls,
  }
}
