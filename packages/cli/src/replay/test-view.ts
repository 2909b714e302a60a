import type { CallResult, RunEvent, RunResult } from '@tenon/replay'
import { visible, visibleLine } from '@tenon/sdk/display'
import type { Style } from '../terminal/style.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** Shows calls as they are made. */
export class CallView {
  readonly #terminal: Terminal
  readonly #shown: boolean

  constructor(terminal: Terminal, shown: boolean) {
    this.#terminal = terminal
    this.#shown = shown
  }

  file(name: string, count: number): void {
    if (this.#shown && count > 1) this.#terminal.line(this.#terminal.style.bold(visibleLine(name)))
  }

  event(event: RunEvent, file: string): void {
    const { activity } = this.#terminal
    if (event.kind === 'started') activity.start(visibleLine(event.call.name))
    if (event.kind !== 'finished') return
    activity.stop()
    if (this.#shown) for (const line of linesOf(event.result, file, this.#terminal.style)) this.#terminal.line(line)
  }
}

function linesOf(
  { status, name, revision, durationMs, failures, warnings }: CallResult,
  file: string,
  style: Style,
): string[] {
  const { green, red, yellow, dim } = style
  const sign = status === 'passed' ? green('✓') : status === 'failed' ? red('✗') : yellow('-')
  const about = revision === undefined ? '' : ` ${dim(revision)}`
  const took = status === 'skipped' ? '' : ` ${dim(`${Math.round(durationMs)} ms`)}`
  return [
    `${sign} ${visibleLine(name)}${about}${took}`,
    ...failures.map(({ path, message, place }) => {
      const where = place === undefined ? file : `${file}:${place.line}:${place.column}`
      return `    ${red(visible(`${path === '' ? '' : `${path}: `}${message}`))} ${dim(visibleLine(where))}`
    }),
    ...warnings.map((warning) => `    ${yellow(visibleLine(warning))}`),
  ]
}

/** The last line. */
export function totals(results: readonly RunResult[], { green, red, yellow }: Style): string {
  const sum = (count: (result: RunResult) => number): number => results.reduce((all, result) => all + count(result), 0)
  const [passed, failed, skipped] = [sum((one) => one.passed), sum((one) => one.failed), sum((one) => one.skipped)]
  const parts = [
    ...(passed > 0 || failed + skipped === 0 ? [green(`${passed} passed`)] : []),
    ...(failed > 0 ? [red(`${failed} failed`)] : []),
    ...(skipped > 0 ? [yellow(`${skipped} skipped`)] : []),
  ]
  return `\n${parts.join(', ')}\n`
}
