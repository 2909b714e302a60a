import type {
  AuthorizationExchange,
  AuthorizationFinding,
  AuthorizationFlow,
  AuthorizationStep,
  AuthorizationStepName,
} from '../protocol.ts'
import { explain } from './explain/explain.ts'
import { explainFailure } from './explain/failures.ts'
import { type Known, note } from './explain/known.ts'
import { Hider } from './hider.ts'

const wholeWay: readonly AuthorizationStepName[] = [
  'request',
  'resource',
  'issuer',
  'client',
  'consent',
  'redirect',
  'token',
  'retry',
]
const maxSaid = 3
const wayOut: readonly AuthorizationStepName[] = ['issuer', 'revocation']

/**
 * The phase of a flow: before its first request, while a token is obtained, before the request with the token, at its end.
 */
type Phase = 'first' | 'obtaining' | 'second' | 'over'

/** One authorization as it runs: its current step, and the results of the steps before. */
export class Flow {
  readonly view: AuthorizationFlow
  readonly known: Known
  readonly hider: Hider = new Hider()
  phase: Phase = 'first'
  /** Whether the first request, and the one with the token, were found. */
  isAsked = false
  isRepeated = false
  readonly #listeners: { changed(): void; ended(): void }
  /** Findings of a step that its requests do not show. */
  readonly #said = new Map<AuthorizationStep, AuthorizationFinding[]>()
  #current: AuthorizationStep | undefined
  #enteredAt = 0

  constructor(
    view: Pick<AuthorizationFlow, 'id' | 'cause'>,
    known: Known,
    listeners: { changed(): void; ended(): void },
  ) {
    const names = view.cause === 'sign-out' ? wayOut : wholeWay
    this.view = { ...view, at: Date.now(), steps: names.map(emptyStep), over: false }
    this.known = known
    this.#listeners = listeners
  }

  get current(): AuthorizationStepName | undefined {
    return this.#current?.name
  }

  /** Goes to a step; the running one is done, and those between were not needed. */
  enter(name: AuthorizationStepName): AuthorizationStep {
    if (this.#current?.name === name) return this.#current
    this.#conclude()
    const step = this.#step(name)
    for (const before of this.view.steps) {
      if (before === step) break
      if (before.status === 'waiting') before.status = 'skipped'
    }
    step.status = 'running'
    this.#current = step
    this.#enteredAt = performance.now()
    this.#listeners.changed()
    return step
  }

  /** Explains the running step so far. */
  show(): void {
    const step = this.#current
    if (step !== undefined) this.#explain(step)
    this.#listeners.changed()
  }

  add(exchange: AuthorizationExchange): void {
    this.#current?.exchanges.push(exchange)
    this.#listeners.changed()
  }

  /** Adds a finding to the running step. */
  say(finding: AuthorizationFinding): void {
    const step = this.#current
    // Any program that reaches the redirect URI can request it without end.
    if (step !== undefined && !this.#saidOf(step).some(({ text }) => text === finding.text)) {
      this.#said.set(step, [...this.#saidOf(step), finding].slice(-maxSaid))
    }
    this.show()
  }

  hold(held: boolean): void {
    if (held && this.#current !== undefined) this.view.held = this.#current.name
    else delete this.view.held
    this.#listeners.changed()
  }

  /** Ends well: steps that were not reached were not needed. */
  finish(): void {
    this.#conclude()
    this.#end()
  }

  /** Ends at a step, which may be another one than the last that did something. */
  fail(name: AuthorizationStepName, text: string): void {
    const step = this.enter(name)
    this.#explain(step)
    const shown = this.hider.text(text)
    step.findings = [explainFailure(step, shown, this.known), ...this.#saidOf(step)]
    this.#leave('failed')
    this.#end()
  }

  /** The flow was cancelled. */
  cancel(): void {
    if (this.phase === 'over') return
    if (this.#current !== undefined) {
      this.#explain(this.#current)
      this.#current.findings.push(note('It was ended here'))
      this.#leave('skipped')
    }
    this.#end()
  }

  #end(): void {
    this.phase = 'over'
    this.view.over = true
    delete this.view.held
    for (const step of this.view.steps) if (step.status === 'waiting') step.status = 'skipped'
    this.#listeners.changed()
    this.#listeners.ended()
  }

  #conclude(): void {
    const step = this.#current
    if (step === undefined) return
    this.#explain(step)
    const levels = step.findings.map(({ level }) => level)
    this.#leave(levels.includes('failure') ? 'failed' : levels.includes('warning') ? 'warning' : 'ok')
  }

  #leave(status: AuthorizationStep['status']): void {
    const step = this.#current!
    step.status = status
    step.durationMs = (step.durationMs ?? 0) + performance.now() - this.#enteredAt
    this.#current = undefined
  }

  #saidOf(step: AuthorizationStep): AuthorizationFinding[] {
    return this.#said.get(step) ?? []
  }

  /** All findings pass here, because they may quote secrets. */
  #explain(step: AuthorizationStep): void {
    const { facts, findings } = explain(step, this.known)
    step.facts = facts.map((fact) => ({
      ...fact,
      value: typeof fact.value === 'string' ? this.hider.named(fact.name, fact.value) : this.hider.json(fact.value),
    }))
    step.findings = this.hider.json([...this.#saidOf(step), ...findings]) as AuthorizationFinding[]
  }

  /** Steps that are not part of every way are put where they belong. */
  #step(name: AuthorizationStepName): AuthorizationStep {
    const { steps } = this.view
    const found = steps.find((step) => step.name === name)
    if (found !== undefined) return found
    const step = emptyStep(name)
    const before = steps.findIndex((other) => other.name === 'client')
    steps.splice(before === -1 ? steps.length : before, 0, step)
    return step
  }
}

const emptyStep = (name: AuthorizationStepName): AuthorizationStep => ({
  name,
  status: 'waiting',
  exchanges: [],
  facts: [],
  findings: [],
})
