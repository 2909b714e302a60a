import type { CallOutcome, ToolCallEvent, ToolProgressEvent, ToolResultEvent } from '@tenon/host/chat'
import { visibleJson } from '@tenon/sdk/display'
import type { Style } from '../../terminal/style.ts'
import { type Part, paragraph, say, type TerminalText } from '../../terminal/text.ts'
import { cut } from '../../terminal/width.ts'

const maxLines = 6

/** Arguments in one line: `city="Bergen" days=2`. */
const shortArguments = (args: object): string =>
  Object.entries(args)
    .map(([name, value]) => `${name}=${visibleJson(JSON.stringify(value) ?? 'null')}`)
    .join(' ')

/** The first line of a call. */
export function callLine(title: string, event: ToolCallEvent, style: Style, columns: number): TerminalText {
  return cut(say`${style.cyan('●')} ${style.bold(title)} ${style.dim(shortArguments(event.arguments))}`, columns)
}

/** The progress of a call in a few words. */
export function progressLine(title: string, event: ToolProgressEvent): TerminalText {
  const { progress, total, message, task } = event
  const share = progress === undefined ? '' : total === undefined ? ` ${progress}` : ` ${progress}/${total}`
  return say`${title}${share}${message === undefined ? '' : ` ${message}`}${task === undefined ? '' : ` (task: ${task})`}`
}

const outcomes: { [Outcome in CallOutcome]: (style: Style) => TerminalText } = {
  ok: ({ green }) => green('✓'),
  error: ({ red }) => red('✗ failed'),
  refused: ({ yellow }) => yellow('✗ not allowed'),
  cancelled: ({ yellow }) => yellow('✗ cancelled'),
  interrupted: ({ yellow }) => yellow('✗ interrupted'),
  limit: ({ yellow }) => yellow('✗ not called, because of a limit'),
}

/** The end of a call: the first lines of its result. */
export function resultLines(
  title: string,
  { outcome, result, spilled }: ToolResultEvent,
  style: Style,
  columns: number,
): TerminalText[] {
  const lines = (result.content ?? []).flatMap(textLines)
  const shown = lines.slice(0, maxLines)
  const rest = lines.length - shown.length
  const about: Part = [
    rest > 0 ? `${rest} more lines` : '',
    spilled === undefined ? '' : `the model reads it in parts, as ${spilled}`,
  ]
    .filter((part) => part !== '')
    .join('; ')
  return [
    say`  ${outcomes[outcome](style)} ${style.dim(title)}`,
    ...shown.map((line) => cut(say`  ${style.dim('│')} ${line}`, columns)),
    ...(about === '' ? [] : [say`  ${style.dim('│')} ${style.dim(`… ${about}`)}`]),
  ]
}

type Block = NonNullable<ToolResultEvent['result']['content']>[number]

function textLines(block: Block): TerminalText[] {
  switch (block.type) {
    case 'text':
      return linesOf(block.text)
    case 'resource_link':
      return [say`${block.uri}  ${block.title ?? block.name}`]
    case 'resource':
      return 'text' in block.resource ? linesOf(block.resource.text) : [say`[${block.resource.uri}]`]
    default:
      return [say`[${block.type}]`]
  }
}

const linesOf = (text: string): TerminalText[] =>
  text
    .trimEnd()
    .split(/\r?\n/)
    .map((line) => paragraph(line))
