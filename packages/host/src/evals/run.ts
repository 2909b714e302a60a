import type { ServerSpec } from '@tenon/replay'
import { expandVariables } from '@tenon/replay/files'
import type { ChatEvent } from '../chat/events.ts'
import { policy } from '../consent/policy.ts'
import { HostError } from '../host-error.ts'
import type { AnyLanguageModel } from '../models/language-model.ts'
import { resolveModel } from '../models/resolve.ts'
import type { ProcessConfig, ServerInput, UrlConfig } from '../servers/server-config.ts'
import { converse } from './converse.ts'
import type { EvalCase, EvalResult, EvalRun, EvalsFile, EvalsReport } from './types.ts'

/** Progress of an evaluation. */
export type EvalEvent =
  | { kind: 'started'; name: string; model: string; run: number; runs: number }
  /** An event of the conversation that was started last. */
  | { kind: 'chat'; event: ChatEvent }
  /** The conversation that was started last has ended, and was checked. */
  | { kind: 'ended'; run: EvalRun }
  /** All conversations about a case with one model have ended. */
  | { kind: 'finished'; result: EvalResult }

/** Options of `runEvals`. */
export interface EvalsOptions {
  /** Instead of the models of the file. */
  models?: readonly string[]
  /** Instead of the number of runs in the file. */
  runs?: number
  /** Only cases for which it is true. */
  filter?: (one: EvalCase) => boolean
  /** Finds servers that the file only names. Called before each conversation, which has servers of its own. */
  findServer?: (spec: ServerSpec) => ServerInput | Promise<ServerInput>
  /** Finds models by name; `resolveModel` if missing. */
  findModel?: (name: string) => AnyLanguageModel | Promise<AnyLanguageModel>
  /** For `${env.NAME}` in servers; `process.env` if missing. */
  env?: { readonly [name: string]: string | undefined }
  signal?: AbortSignal
  onEvent?: (event: EvalEvent) => void
}

/**
 * Talks to each model about each prompt of a file, as often as it says, and checks the conversations. Every run has servers
 * of its own, so that none sees the traces of another.
 *
 * @example
 * const { failed, cases } = await runEvals(await loadEvalsFile('cases.yaml'))
 */
export async function runEvals(file: EvalsFile, options: EvalsOptions = {}): Promise<EvalsReport> {
  const started = performance.now()
  const { filter = () => true, findModel = resolveModel, signal } = options
  const names = options.models?.length ? options.models : file.models
  if (names.length === 0) throw new HostError('invalid_argument', `${file.path}: expected a model, got none`)
  const cases = file.cases.filter(filter)
  if (cases.length === 0) throw new HostError('invalid_argument', `${file.path}: no case was chosen`)
  const models = new Map<string, AnyLanguageModel>()
  for (const name of names) models.set(name, await findModel(name))
  const consent = file.consent && policy(file.consent)
  await consent?.prepare?.()

  const results: EvalResult[] = []
  for (const one of cases) {
    for (const [name, model] of models) {
      signal?.throwIfAborted()
      const runs: EvalRun[] = []
      const count = one.skip === undefined ? (options.runs ?? one.runs ?? file.runs) : 0
      for (let number = 1; number <= count; number++) {
        const servers = await findServers(file, options)
        options.onEvent?.({ kind: 'started', name: one.name, model: name, run: number, runs: count })
        const heard = (event: ChatEvent): void => options.onEvent?.({ kind: 'chat', event })
        const run = await converse(file, one, { model, servers, consent, signal, heard })
        runs.push(run)
        options.onEvent?.({ kind: 'ended', run })
        signal?.throwIfAborted()
      }
      const result = resultOf(one, name, runs)
      results.push(result)
      options.onEvent?.({ kind: 'finished', result })
    }
  }
  return reportOf(file, results, performance.now() - started)
}

function resultOf({ name, passRate: needed, skip }: EvalCase, model: string, runs: EvalRun[]): EvalResult {
  const passed = runs.filter(({ status }) => status === 'passed').length
  const rate = runs.length === 0 ? 0 : passed / runs.length
  const status = skip !== undefined ? 'skipped' : rate >= needed ? 'passed' : 'failed'
  const durationMs = runs.reduce((sum, run) => sum + run.durationMs, 0)
  return { name, model, status, passed, rate, needed, durationMs, runs }
}

function reportOf({ path, title }: EvalsFile, cases: EvalResult[], durationMs: number): EvalsReport {
  const count = (status: EvalResult['status']): number => cases.filter((one) => one.status === status).length
  return {
    tenonEvalsReport: 1,
    file: path,
    ...(title !== undefined && { title }),
    passed: count('passed'),
    failed: count('failed'),
    skipped: count('skipped'),
    durationMs,
    cases,
  }
}

async function findServers(
  file: EvalsFile,
  { findServer = byItself, env = process.env }: EvalsOptions,
): Promise<{ [name: string]: ServerInput }> {
  const found: [string, ServerInput][] = []
  for (const [name, spec] of file.servers) {
    found.push([name, await findServer(expandVariables(spec, { values: {}, env }))])
  }
  return Object.fromEntries(found)
}

/** A server as the file describes it. */
export function byItself({ name, command, args, env, cwd, url, headers }: ServerSpec): ProcessConfig | UrlConfig {
  if (url !== undefined) return { url, ...(headers && { headers }) }
  if (command !== undefined) {
    return { command, ...(args && { args }), ...(env && { env }), ...(cwd !== undefined && { cwd }) }
  }
  throw new HostError(
    'invalid_argument',
    `servers.${name}: expected command or url; nothing finds servers by name here`,
  )
}
