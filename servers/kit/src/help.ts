import { realpathSync } from 'node:fs'
import { sep } from 'node:path'
import { flagOf } from './command-line.ts'
import { commonSettings } from './common-settings.ts'
import type { Program } from './program.ts'
import type { SettingDefinitions } from './settings.ts'

const width = 80

/** The text of `--help`, at most 80 columns wide. */
export function helpText<S extends SettingDefinitions>(program: Program<S>): string {
  const { name, positional, examples = [] } = program
  const own = Object.fromEntries(Object.entries(program.settings).filter(([key]) => key !== positional?.setting))
  return [
    `Usage: ${name} [options]${positional === undefined ? '' : ` ${positional.placeholder}`}`,
    wrap(program.summary, '', ''),
    wrap('It speaks MCP on standard input and output. Have your MCP client start it:', '', ''),
    hostEntry(name.replace(/^tenon-/, ''), positional?.placeholder),
    ...(examples.length === 0 ? [] : [`Examples:\n${examples.map(exampleLines).join('\n')}`]),
    ...(Object.keys(own).length === 0 ? [] : [`Settings:\n${settingLines(own)}`]),
    `Settings of every server:\n${settingLines(commonSettings)}`,
    [
      wrap(
        'Read settings from a file (JSON with comments, as { "readOnly": true }), again when it changes',
        '      --config FILE',
      ),
      wrap('Show this text', '  -h, --help'),
      wrap('Show the version', '  -v, --version'),
    ].join('\n'),
  ]
    .join('\n\n')
    .concat('\n')
}

/** The entry of a host's config file. In a clone, whose packages need not be published, it names the program itself. */
function hostEntry(name: string, argument: string | undefined): string {
  const program = realpathSync(process.argv[1]!)
  const isInstalled = program.includes(`${sep}node_modules${sep}`)
  const words = isInstalled ? ['npx', '-y', `@tenon/server-${name}`] : ['node', program]
  const [command, ...args] = [...words, ...(argument === undefined ? [] : [argument])]
  const start = `{ "command": "${command}", "args": ${JSON.stringify(args).replaceAll(',', ', ')} }`
  const line = `  { "mcpServers": { "${name}": ${start} } }`
  return line.length <= width ? line : `  { "mcpServers": {\n    "${name}":\n      ${start}\n  } }`
}

const exampleLines = ([command, explanation]: readonly [string, string]): string =>
  command.length < 40
    ? wrap(explanation, `  ${command}`, ' '.repeat(42))
    : `  ${command}\n${wrap(explanation, '    ', '    ')}`

function settingLines(settings: SettingDefinitions): string {
  return Object.entries(settings)
    .map(([name, { summary, placeholder, env }]) => {
      const flag = `      --${flagOf(name)}${placeholder === undefined ? '' : ` ${placeholder}`}`
      return wrap(env === undefined ? summary : `${summary} (or ${env})`, flag)
    })
    .join('\n')
}

/** Puts a text beside its flag, or below if the flag is long, and breaks it at the width of the terminal. */
function wrap(text: string, start: string, indent = ' '.repeat(30)): string {
  const fits = start.length < indent.length
  const lines = fits || start === indent ? [start.padEnd(indent.length)] : start === '' ? [''] : [start, indent]
  for (const word of text.split(' ')) {
    const last = lines.at(-1)!
    const line = last.trim() === '' || last.length === indent.length ? last + word : `${last} ${word}`
    if (line.length <= width) lines[lines.length - 1] = line
    else lines.push(indent + word)
  }
  return lines.join('\n')
}
