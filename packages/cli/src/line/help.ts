import { type Command, commonOptions } from '../command.ts'
import { commandGroups } from '../commands.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { widthOf, wrap } from '../terminal/width.ts'
import type { OptionSpec, OptionTable } from './options.ts'

/** What `tenon` alone prints. */
export function overview(terminal: Terminal): string {
  const { bold, dim, cyan } = terminal.style
  const groups = commandGroups.map(({ title, commands }) => {
    const rows = commands.map(({ name, summary }) => `  ${cyan(name.padEnd(10))}  ${summary}\n`)
    return `\n${bold(title)}\n${rows.join('')}`
  })
  return `${bold('tenon')}: the Model Context Protocol on the command line

  tenon <command> <target> [argument…] [options]
  tenon <command> [argument…] [options] -- <program> [argument…]

A target is a URL, the name of a server in a config file (${dim('tenon servers')} lists them), or a program after --.
${groups.join('')}
${bold('Examples')}
  ${cyan('tenon info https://example.com/mcp')}
  ${cyan('tenon call everything add a=19 b=23')}
  ${cyan('tenon list -- npx -y @modelcontextprotocol/server-filesystem .')}

${dim('tenon <command> --help says more about one of them.')}
`
}

/** What `tenon <command> --help` prints. */
export function commandHelp(command: Command, terminal: Terminal): string {
  const { bold, dim, cyan } = terminal.style
  const columns = Math.min(terminal.columns, 100)
  const usage = command.usage.map((form) => `  tenon ${command.name}${form === '' ? '' : ` ${form}`}\n`).join('')
  const details = command.details ? `\n${wrap(command.details, columns).join('\n')}\n` : ''
  const examples = command.examples.map(({ line, shows }) => `  ${dim(`# ${shows}`)}\n  ${cyan(line)}\n`).join('')
  return `${command.summary}

${bold('Usage')}
${usage}${details}
${bold('Options')}
${optionLines({ ...command.options, ...commonOptions }, columns)}
${bold('Examples')}
${examples}`
}

function optionLines(table: OptionTable, columns: number): string {
  const rows = Object.entries(table).map(([name, spec]) => [nameOf(name, spec), helpOf(spec)] as const)
  const width = Math.max(...rows.map(([name]) => widthOf(name)))
  return rows
    .map(([name, text]) => {
      const [first, ...others] = wrap(text, Math.max(columns - width - 4, 30))
      const below = others.map((line) => `${' '.repeat(width + 4)}${line}\n`).join('')
      return `  ${name.padEnd(width)}  ${first}\n${below}`
    })
    .join('')
}

const nameOf = (name: string, spec: OptionSpec): string =>
  `${spec.short ? `-${spec.short}, ` : '    '}--${name}${wordOf(spec)}`

function wordOf(spec: OptionSpec): string {
  if (spec.type === 'flag') return ''
  if (spec.type === 'time') return ` <${spec.value ?? 'time'}>`
  return spec.type === 'choice' ? ` <${spec.choices.length > 3 ? 'word' : spec.choices.join('|')}>` : ` <${spec.value}>`
}

function helpOf(spec: OptionSpec): string {
  const choices = spec.type === 'choice' && spec.choices.length > 3 ? `: ${spec.choices.join(', ')}` : ''
  const again = spec.type === 'list' ? ' (repeatable)' : ''
  const fallback = 'default' in spec && spec.default !== undefined ? ` (${spec.default})` : ''
  return `${spec.help}${choices}${again}${fallback}`
}
