import type { CallResult, RunEvent, RunResult } from '@tenon/replay'
import type { Style } from '../terminal/style.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { join, paragraph, say, type TerminalText } from '../terminal/text.ts'

/** Shows calls as they are made. */
export class CallView {
  readonly #terminal: Terminal
  readonly #shown: boolean

  constructor(terminal: Terminal, shown: boolean) {
    this.#terminal = terminal
    this.#shown = shown
  }

  file(name: string, count: number): void {
    if (this.#shown && count > 1) this.#terminal.line(this.#terminal.style.bold(name))
  }

  event(event: RunEvent, file: string): void {
    const { activity } = this.#terminal
    if (event.kind === 'started') activity.start(say`${event.call.name}`)
    if (event.kind !== 'finished') return
    activity.stop()
    if (this.#shown) for (const line of linesOf(event.result, file, this.#terminal.style)) this.#terminal.line(line)
  }
}

function linesOf(
  { status, name, revision, durationMs, failures, warnings }: CallResult,
  file: string,
  style: Style,
): TerminalText[] {
  const { green, red, yellow, dim } = style
  const sign = status === 'passed' ? green('✓') : status === 'failed' ? red('✗') : yellow('-')
  const about = revision === undefined ? '' : say` ${dim(revision)}`
  const took = status === 'skipped' ? '' : say` ${dim(`${Math.round(durationMs)} ms`)}`
  return [
    say`${sign} ${name}${about}${took}`,
    ...failures.map(({ path, message, place }) => {
      const where = place === undefined ? file : `${file}:${place.line}:${place.column}`
      return say`    ${red(paragraph(`${path === '' ? '' : `${path}: `}${message}`))} ${dim(where)}`
    }),
    ...warnings.map((warning) => say`    ${yellow(warning)}`),
  ]
}

type Counts = Pick<RunResult, 'passed' | 'failed' | 'skipped'>

/** The last line. */
export function totals(results: readonly Counts[], { green, red, yellow }: Style): TerminalText {
  const sum = (count: (result: Counts) => number): number => results.reduce((all, result) => all + count(result), 0)
  const [passed, failed, skipped] = [sum((one) => one.passed), sum((one) => one.failed), sum((one) => one.skipped)]
  const parts = [
    ...(passed > 0 || failed + skipped === 0 ? [green(`${passed} passed`)] : []),
    ...(failed > 0 ? [red(`${failed} failed`)] : []),
    ...(skipped > 0 ? [yellow(`${skipped} skipped`)] : []),
  ]
  return say`\n${join(parts, ', ')}\n`
}
