import {
  compareRates,
  distinctFailures,
  type EvalChange,
  type EvalEvent,
  type EvalRate,
  type EvalResult,
  ratesOf,
} from '@tenon/host/evals'
import type { Style } from '../terminal/style.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { paragraph, say, type TerminalText } from '../terminal/text.ts'

/** Shows cases as they are decided, with their rates before. */
export class EvalView {
  readonly #terminal: Terminal
  readonly #file: string
  readonly #before: readonly EvalRate[]
  readonly #shown: boolean

  constructor(terminal: Terminal, file: string, before: readonly EvalRate[], shown: boolean) {
    this.#terminal = terminal
    this.#file = file
    this.#before = before
    this.#shown = shown
  }

  event(event: EvalEvent): void {
    const { activity } = this.#terminal
    if (event.kind === 'started') activity.start(say`${event.name} ${event.model} ${event.run}/${event.runs}`)
    if (event.kind !== 'finished') return
    activity.stop()
    if (!this.#shown) return
    const [change] = compareRates(this.#before, ratesOf([event.result]))
    for (const line of linesOf(event.result, change, this.#file, this.#terminal.style)) this.#terminal.line(line)
  }
}

function linesOf(result: EvalResult, change: EvalChange | undefined, file: string, style: Style): TerminalText[] {
  const { green, red, yellow, dim } = style
  const { status, name, model, passed, runs, durationMs } = result
  if (status === 'skipped') return [say`${yellow('-')} ${name} ${dim(model)}`]
  const sign = status === 'passed' ? green('✓') : red('✗')
  const tokens = runs.reduce((sum, { usage }) => sum + usage.inputTokens + usage.outputTokens, 0)
  const took = `${Math.round(tokens / runs.length)} tokens, ${Math.round(durationMs / runs.length)} ms`
  return [
    say`${sign} ${name} ${dim(model)} ${passed}/${runs.length}${beforeOf(change, style)} ${dim(took)}`,
    ...distinctFailures(result).map(({ path, message, place, count }) => {
      const where = place === undefined ? file : `${file}:${place.line}:${place.column}`
      const often = runs.length === 1 ? '' : `${count} of ${runs.length} runs: `
      return say`    ${red(paragraph(`${often}${path}: ${message}`))} ${dim(where)}`
    }),
  ]
}

function beforeOf(change: EvalChange | undefined, { green, red }: Style): TerminalText | string {
  if (change?.before === undefined || change.change === 'same') return ''
  const words = ` (${change.change}: was ${change.before.passed}/${change.before.runs})`
  return change.change === 'better' ? green(words) : red(words)
}
