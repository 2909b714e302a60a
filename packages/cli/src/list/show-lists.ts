import type { Tool } from '@tenon/sdk/client'
import { toolFacts } from '@tenon/sdk/client'
import type { Explained } from '../explain.ts'
import { showJson } from '../show/json.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { paragraph, say, type TerminalText, toText } from '../terminal/text.ts'
import { fit, splitLines, widthOf, wrap } from '../terminal/width.ts'
import { lists, type Row } from './lists.ts'

/** Prints lists: a line per item with its first sentence, and below it its arguments, or their schema. */
export function showLists(found: ReadonlyMap<string, object[]>, terminal: Terminal, withSchema: boolean): void {
  const { bold, dim } = terminal.style
  let first = true
  for (const [kind, items] of found) {
    if (items.length === 0 && found.size > 1) continue
    if (!first) terminal.line()
    first = false
    terminal.line(say`${bold(kind)} ${dim(String(items.length))}`)
    const rows = items.map((item) => lists.get(kind)!.row(item as never))
    const width = nameColumns(rows, terminal.columns)
    for (const [index, row] of rows.entries()) {
      const schema = withSchema ? (items[index] as { inputSchema?: unknown }).inputSchema : undefined
      showRow(row, schema, width, terminal)
    }
  }
  if (first) terminal.note(say`The server offers nothing to list.`)
}

const margin = 2
/** A longer name has a line of its own. */
const longestName = 28

const nameColumns = (rows: readonly Row[], columns: number): number => {
  const most = Math.min(longestName, Math.floor(columns / 3))
  return Math.max(...rows.map(({ name }) => widthOf(name)).filter((width) => width <= most), 4)
}

function showRow({ name, about, detail }: Row, schema: unknown, width: number, terminal: Terminal): void {
  const { cyan, dim } = terminal.style
  const indent = margin + width + 2
  const room = Math.max(terminal.columns - indent, 20)
  const sentences = about === '' ? [] : wrap(toText(about), room)
  const details = detail === '' || schema !== undefined ? [] : wrap(toText(detail), room).map((line) => dim(line))
  const [first, ...rest]: TerminalText[] = [...sentences, ...details]
  const isLong = widthOf(name) > width
  const start = say`${' '.repeat(margin)}${cyan(isLong || !first ? name : fit(name, width))}`
  terminal.line(isLong || !first ? start : say`${start}  ${first}`)
  for (const line of isLong && first ? [first, ...rest] : rest) terminal.line(say`${' '.repeat(indent)}${line}`)
  if (schema === undefined) return
  for (const line of splitLines(showJson(schema, terminal.style))) terminal.line(say`${' '.repeat(margin * 2)}${line}`)
}

/** Says which lists could not be had. */
export function showFailures(failed: ReadonlyMap<string, Explained>, terminal: Terminal): void {
  const { red, bold, dim } = terminal.notes
  for (const [kind, { message, hint }] of failed) {
    terminal.warn(say`${red(bold('error:'))} ${kind}: ${message}`)
    if (hint !== undefined) terminal.warn(say`${dim('hint:')} ${hint}`)
  }
}

/** Prints one tool in full. */
export function showTool(tool: Tool, terminal: Terminal): void {
  const { bold, dim } = terminal.style
  const { readOnly, destructive, idempotent, openWorld } = toolFacts(tool)
  const hints = [
    readOnly ? 'only reads' : destructive ? 'may destroy' : 'writes',
    ...(idempotent ? ['harmless to repeat'] : []),
    ...(openWorld ? ['reaches the outside world'] : []),
  ]
  terminal.line(say`${bold(tool.name)}${tool.title ? `  ${tool.title}` : ''}`)
  if (tool.description) terminal.line(paragraph(tool.description))
  terminal.line(dim(`It says of itself: ${hints.join(', ')}.`))
  terminal.line()
  terminal.line(bold('arguments'))
  terminal.line(showJson(tool.inputSchema, terminal.style))
  if (!tool.outputSchema) return
  terminal.line()
  terminal.line(bold('result'))
  terminal.line(showJson(tool.outputSchema, terminal.style))
}
