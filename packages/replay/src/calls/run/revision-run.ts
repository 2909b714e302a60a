import type { Client, Revision } from '@tenon/sdk/client'
import { valueAt } from '../../json/path.ts'
import { defaultServer } from '../load/calls-file.ts'
import type { CallsFile, Expectation, SavedCall } from '../types.ts'
import { expandVariables, UnknownVariable, type VariableScope } from '../variables.ts'
import { assertOutcome, type Failure, type Finding } from './assertions.ts'
import { connectServer } from './connect-server.ts'
import { type Outcome, performOperation } from './operations.ts'
import { PreparedAnswers } from './prepared-answers.ts'
import type { CallResult, RunOptions } from './run-calls.ts'

interface Opened {
  client: Client
  answering: PreparedAnswers
  /** Warnings of the client since the call began. */
  warnings: string[]
}

/** All calls of a file in one revision: with connections and captured values of its own. */
export class RevisionRun implements AsyncDisposable {
  readonly #file: CallsFile
  readonly #revision: Revision | undefined
  readonly #options: RunOptions
  readonly #scope: VariableScope
  readonly #opened = new Map<string, Promise<Opened>>()

  constructor(file: CallsFile, revision: Revision | undefined, options: RunOptions) {
    this.#file = file
    this.#revision = revision
    this.#options = options
    this.#scope = { values: { ...options.variables, ...file.variables }, env: options.env ?? environment() }
  }

  async run(call: SavedCall): Promise<CallResult> {
    const began = performance.now()
    const base = {
      name: call.name,
      index: call.index,
      server: call.server,
      revision: this.#revision as string | undefined,
    }
    const skipped = this.#reasonToSkip(call)
    if (skipped !== undefined) {
      return { ...base, status: 'skipped', durationMs: 0, failures: [], warnings: [skipped] }
    }
    try {
      const found = await this.#make(call)
      const status = found.failures.length === 0 ? 'passed' : 'failed'
      return { ...base, ...found, status }
    } catch (error) {
      // A value that an earlier call should have captured is that call's failure.
      const lacks = error instanceof UnknownVariable
      const failure: Failure = { path: '', message: messageOf(error), place: this.#file.locate(['calls', call.index]) }
      return {
        ...base,
        status: lacks ? 'skipped' : 'failed',
        durationMs: performance.now() - began,
        failures: lacks ? [] : [failure],
        warnings: lacks ? [messageOf(error)] : [],
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const opening of this.#opened.values()) {
      const opened = await opening.catch(() => undefined)
      await opened?.client.close().catch(() => {})
    }
  }

  #reasonToSkip({ skip, revisions }: SavedCall): string | undefined {
    if (skip !== undefined) return skip
    if (revisions === undefined || this.#revision === undefined || revisions.includes(this.#revision)) return undefined
    return `only in ${revisions.join(', ')}`
  }

  async #make(call: SavedCall): Promise<Omit<CallResult, 'name' | 'index' | 'server' | 'status'>> {
    const operation = expandVariables(call.operation, this.#scope)
    const { client, answering, warnings } = await this.#open(call.server)
    const { revision } = client.server
    const where = call.expectIn.has(revision) ? ['expectIn', revision] : ['expect']
    const expect = expandVariables(call.expectIn.get(revision) ?? call.expect, this.#scope)
    answering.begin(expandVariables(call.answers, this.#scope))
    if (expect.schema && operation.kind === 'tool') await learnTools(client)
    warnings.length = 0
    const { signal } = this.#options
    const timeout = call.timeoutMs === undefined ? {} : { timeoutMs: call.timeoutMs, maxTotalMs: call.timeoutMs }
    const began = performance.now()
    const outcome = await performOperation(client, operation, { ...timeout, ...(signal && { signal }) })
    const durationMs = performance.now() - began
    const failures = [
      ...assertOutcome(outcome, expect).map((failure) => this.#placed(failure, call, where)),
      ...schemaFailures(expect, warnings),
      ...answering.end().map((message) => ({ path: 'answers', message })),
      ...this.#capture(call, outcome),
    ]
    const slow = expect.maxMs !== undefined && durationMs > expect.maxMs
    const late = slow ? [`took ${Math.round(durationMs)} ms, more than ${expect.maxMs} ms`] : []
    // Warnings are failures if the file says `schema: true`, and ignored with `schema: false`.
    const told = expect.schema === undefined ? warnings : []
    return { revision, durationMs, failures, warnings: [...told, ...late], outcome }
  }

  #placed({ member, ...failure }: Finding, { index }: SavedCall, where: string[]): Failure {
    return { ...failure, place: this.#file.locate(['calls', index, ...where, ...member]) }
  }

  #capture({ capture, index }: SavedCall, outcome: Outcome): Failure[] {
    const failures: Failure[] = []
    for (const [name, path] of capture) {
      const value = valueAt(outcome, path)
      if (value !== undefined) this.#scope.values[name] = value
      else if (outcome.error === undefined) {
        const place = this.#file.locate(['calls', index, 'capture', name])
        failures.push({ path: `capture.${name}`, message: 'there is nothing at this path', place })
      }
    }
    return failures
  }

  #open(name: string): Promise<Opened> {
    const known = this.#opened.get(name)
    if (known !== undefined) return known
    const opening = this.#connect(name)
    opening.catch(() => {})
    this.#opened.set(name, opening)
    return opening
  }

  async #connect(name: string): Promise<Opened> {
    const server = expandVariables(this.#file.servers.get(name) ?? { name: defaultServer }, this.#scope)
    const answering = new PreparedAnswers()
    const warnings: string[] = []
    const { signal } = this.#options
    const client = await (this.#options.connect ?? connectServer)(server, {
      ...answering.options(this.#file, name),
      ...(this.#revision && { revisions: [this.#revision] }),
      ...(signal && { signal }),
      validate: 'warn',
      onWarning: (message) => warnings.push(message),
    })
    this.#options.onEvent?.({ kind: 'connected', server: name, revision: client.server.revision })
    return { client, answering, warnings }
  }
}

/** Only listed tools can be checked. */
async function learnTools(client: Client): Promise<void> {
  for await (const _ of client.tools());
}

const schemaFailures = ({ schema }: Expectation, warnings: readonly string[]): Failure[] =>
  schema === true ? warnings.map((message) => ({ path: 'schema', message })) : []

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const environment = (): { readonly [name: string]: string | undefined } =>
  (globalThis as { process?: { env: { [name: string]: string | undefined } } }).process?.env ?? {}
