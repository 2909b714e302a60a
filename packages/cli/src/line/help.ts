import { type Command, commonOptions } from '../command.ts'
import { commandGroups } from '../commands.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { join, paragraph, say, type TerminalText } from '../terminal/text.ts'
import { widthOf, wrap } from '../terminal/width.ts'
import type { OptionSpec, OptionTable } from './options.ts'

/** The output of `tenon` alone. */
export function overview(terminal: Terminal): TerminalText {
  const { bold, dim, cyan } = terminal.style
  const groups = commandGroups.map(({ title, commands }) => {
    const rows = commands.map(({ name, summary }) => say`  ${cyan(name.padEnd(10))}  ${summary}\n`)
    return say`\n${bold(title)}\n${join(rows)}`
  })
  return say`${bold('tenon')}: the Model Context Protocol on the command line

  tenon <command> <target> [argument…] [options]
  tenon <command> [argument…] [options] -- <program> [argument…]

A target is a URL, the name of a server in a config file (${dim('tenon servers')}
lists them), or a program after --. The server ${dim('everything')} is built in, to try a
command with.
${join(groups)}
${bold('Examples')}
  ${cyan('tenon info https://example.com/mcp')}
  ${cyan('tenon call everything add a=19 b=23')}
  ${cyan('tenon list -- npx -y @modelcontextprotocol/server-filesystem .')}

${dim('tenon <command> --help says more about one of them.')}
`
}

/** A wide terminal is used up to a width that is easy to read; files and pipes get lines for any terminal. */
const columnsOf = (terminal: Terminal): number => (terminal.isRead ? Math.min(terminal.columns, 100) : 80)

/** The output of `tenon <command> --help`. */
export function commandHelp(command: Command, terminal: Terminal): TerminalText {
  const { bold, dim, cyan } = terminal.style
  const columns = columnsOf(terminal)
  const usage = join(command.usage.map((form) => say`  tenon ${command.name}${form === '' ? '' : ` ${form}`}\n`))
  const details = command.details ? say`\n${join(wrap(paragraph(command.details), columns), '\n')}\n` : ''
  const examples = join(command.examples.map(({ line, shows }) => say`  ${dim(`# ${shows}`)}\n  ${cyan(line)}\n`))
  return say`${command.summary}

${bold('Usage')}
${usage}${details}
${bold('Options')}
${optionLines({ ...command.options, ...commonOptions }, columns)}
${bold('Examples')}
${examples}`
}

function optionLines(table: OptionTable, columns: number): TerminalText {
  const rows = Object.entries(table).map(([name, spec]) => [nameOf(name, spec), helpOf(spec)] as const)
  const width = Math.max(...rows.map(([name]) => widthOf(name)))
  const lines = rows.map(([name, text]) => {
    const [first, ...others] = wrap(paragraph(text), Math.max(columns - width - 4, 30))
    const below = join(others.map((line) => say`${' '.repeat(width + 4)}${line}\n`))
    return say`  ${name.padEnd(width)}  ${first!}\n${below}`
  })
  return join(lines)
}

const nameOf = (name: string, spec: OptionSpec): string =>
  `${spec.short ? `-${spec.short}, ` : '    '}--${name}${wordOf(spec)}`

function wordOf(spec: OptionSpec): string {
  if (spec.type === 'flag') return ''
  if (spec.type === 'time' || spec.type === 'size') return ` <${spec.value ?? spec.type}>`
  if (spec.type === 'text' && spec.alone !== undefined) return `[=<${spec.value}>]`
  return spec.type === 'choice' ? ` <${spec.choices.length > 3 ? 'word' : spec.choices.join('|')}>` : ` <${spec.value}>`
}

function helpOf(spec: OptionSpec): string {
  const choices = spec.type === 'choice' && spec.choices.length > 3 ? `: ${spec.choices.join(', ')}` : ''
  const again = spec.type === 'list' ? ' (repeatable)' : ''
  const fallback = 'default' in spec && spec.default !== undefined ? ` (${spec.default})` : ''
  return `${spec.help}${choices}${again}${fallback}`
}
