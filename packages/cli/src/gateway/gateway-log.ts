import type { ConfigChange, GatewayEvent, UpstreamStatus } from '@tenon/gateway'
import type { CommandCall } from '../command.ts'
import type { OptionTable } from '../line/options.ts'
import { paragraph, say } from '../terminal/text.ts'

/** The most messages that are remembered, so that each is told once. */
const maxTold = 1_000

/** Tells what happens in a gateway: lines for people, or with `--json` one document for each. */
export class GatewayLog {
  readonly #call: CommandCall<OptionTable>
  readonly #told = new Set<string>()

  constructor(call: CommandCall<OptionTable>) {
    this.#call = call
  }

  readonly happened = (event: GatewayEvent): void => {
    if (event.kind === 'upstream') this.#upstream(event.status)
    else if (event.kind === 'error') this.#error(event.error, event.during)
  }

  changed(changes: readonly ConfigChange[]): void {
    const { terminal } = this.#call
    const shown = changes.map(({ kind, path }) => ({ kind, path: path.join('.') }))
    this.#call.event({ event: 'changed', changes: shown }, () => {
      if (shown.length === 0) terminal.note(terminal.notes.dim('The file was written, and nothing is different.'))
      for (const { kind, path } of shown) terminal.warn(say`${terminal.notes.green(kind)} ${path}`)
    })
  }

  refused(problem: string): void {
    const { terminal } = this.#call
    this.#call.event({ event: 'refused', problem }, () => {
      terminal.warn(say`${terminal.notes.red('refused:')} ${paragraph(problem)}`)
      terminal.warn(terminal.notes.dim('The gateway goes on with what it had.'))
    })
  }

  #upstream(status: UpstreamStatus): void {
    const { terminal } = this.#call
    const { name, state, problem } = status
    const why = problem === undefined ? '' : `: ${problem}`
    this.#call.event({ event: 'upstream', ...status }, () => {
      if (state === 'up') terminal.note(say`${name} is ${terminal.notes.green('up')}`)
      else terminal.warn(say`${name} is ${terminal.notes.yellow(state)}${why}`)
    })
  }

  /** Of each message once: a client that tries again and again does not fill the log. */
  #error(error: unknown, during: string): void {
    const { terminal } = this.#call
    const message = error instanceof Error ? error.message : String(error)
    const key = `${during}: ${message}`
    if (this.#told.has(key) || this.#told.size >= maxTold) return
    this.#told.add(key)
    this.#call.event({ event: 'error', during, message }, () =>
      terminal.warn(say`${terminal.notes.yellow('warning:')} ${during}: ${message}`),
    )
  }
}
