import type { DiagnosisStep } from '@tenon/host/diagnosis'
import type { Style } from '../terminal/style.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { paragraph, say, type TerminalText } from '../terminal/text.ts'
import { wrap } from '../terminal/width.ts'

const titleColumns = 'Authorization metadata'.length
const indent = titleColumns + 4

const signs = { ok: '✓', warning: '!', failed: '✗', skipped: '-' } as const
const colours = { ok: 'green', warning: 'yellow', failed: 'red', skipped: 'dim' } as const

/** Prints a step: its sign, its title, the fact, and below it the next step of the reader. */
export function showStep({ title, status, detail, hint }: DiagnosisStep, terminal: Terminal): void {
  const { style } = terminal
  const colour = style[colours[status]]
  const room = Math.max(terminal.columns - indent, 20)
  const [first, ...rest] = [
    ...wrap(paragraph(oneLine(detail)), room).map((line) => (status === 'skipped' ? style.dim(line) : line)),
    ...(hint === undefined ? [] : wrap(paragraph(oneLine(hint)), room).map((line) => style.dim(line))),
  ]
  terminal.line(say`${colour(signs[status])} ${title.padEnd(titleColumns)}  ${first!}`)
  for (const line of rest) terminal.line(say`${' '.repeat(indent)}${line}`)
}

const oneLine = (text: string): string => text.replace(/\s*\n\s*/g, ' ')

/** The last line. */
export function countSteps(steps: readonly DiagnosisStep[], style: Style): TerminalText {
  const count = (status: DiagnosisStep['status']): number => steps.filter((step) => step.status === status).length
  const [failed, warnings, skipped] = [count('failed'), count('warning'), count('skipped')]
  const parts = [
    style.green(`${count('ok')} in order`),
    ...(warnings > 0 ? [style.yellow(`${warnings} to look at`)] : []),
    ...(failed > 0 ? [style.red(`${failed} failed`)] : []),
    ...(skipped > 0 ? [style.dim(`${skipped} skipped`)] : []),
  ]
  return parts.reduce((text, part) => say`${text}, ${part}`)
}
