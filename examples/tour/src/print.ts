const { stdout } = process

/** Colours are for terminals: not for files and pipes, and not with `NO_COLOR`. */
const colored = stdout.isTTY === true && !process.env.NO_COLOR

const style =
  (open: number, close: number) =>
  (text: string): string =>
    colored ? `\x1b[${open}m${text}\x1b[${close}m` : text

export const bold: (text: string) => string = style(1, 22)
const dim: (text: string) => string = style(2, 22)
const green: (text: string) => string = style(32, 39)
export const cyan: (text: string) => string = style(36, 39)
const yellow: (text: string) => string = style(33, 39)

const labelWidth = 20
const width = 80

export const printLine = (text = ''): void => void stdout.write(`${text}\n`)

let sections = 0

/** The heading of a step. */
export const section = (title: string): void => printLine(`\n${dim(`${++sections}`.padStart(2))}  ${bold(title)}`)

/** A label and its text, cut to the width of a line. */
export function row(label: string, text: string): void {
  const room = width - 4 - labelWidth
  printLine(`    ${label.padEnd(labelWidth - 1)} ${dim(text.length > room ? `${text.slice(0, room - 1)}…` : text)}`)
}

/** A message of the client. */
export const sent = (text: string): void => printLine(`    ${cyan('→')} ${text}`)

/** A message of the server. */
export const received = (text: string): void => printLine(`    ${green('←')} ${text}`)

/** A request of the server, and the client's answer. */
export const asked = (text: string): void => printLine(`    ${yellow('?')} ${text}`)
export const told = (text: string): void => printLine(`    ${yellow('!')} ${text}`)

/** Data as a person would write it: `{ sum: 3 }`. */
export const data = (value: unknown): string =>
  JSON.stringify(value, null, 1)
    .replace(/\n\s*/g, ' ')
    .replace(/"([A-Za-z_]\w*)":/g, '$1:')

const barWidth = 24

/** A bar that grows in place on a terminal; elsewhere every quarter is a line. */
export function progressBar(): (done: number, total: number, message: string) => void {
  return (done, total, message) => {
    const filled = Math.round((done / total) * barWidth)
    const bar = `${'█'.repeat(filled)}${'░'.repeat(barWidth - filled)}`
    const line = `      ${bar} ${`${Math.round((done / total) * 100)}`.padStart(3)} %  ${dim(message)}`
    if (stdout.isTTY) stdout.write(`\r\x1b[K${line}${done === total ? '\n' : ''}`)
    else if ((done * 4) % total === 0) printLine(line)
  }
}

/** Rows in columns as wide as their widest cell, the first row as heading. */
export function printTable(rows: readonly string[][]): void {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((cells) => cells[column]!.length)))
  for (const [index, cells] of rows.entries()) {
    const line = cells
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('   ')
      .trimEnd()
    printLine(`    ${index === 0 ? dim(line) : line}`)
  }
}
