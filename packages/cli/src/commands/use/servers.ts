import type { Discovered, Problem, ServerEntry } from '@tenon/host/config'
import { command } from '../../command.ts'
import { builtInName } from '../../server/built-in.ts'
import { readServers, unknownServer } from '../../server/configured.ts'
import { table } from '../../terminal/table.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { say } from '../../terminal/text.ts'

export default command({
  name: 'servers',
  summary: 'Show the configured servers and their files',
  usage: ['[name]'],
  details:
    'Reads the files of Claude Desktop, Claude Code, VS Code, Cursor, Windsurf, Codex and many more, and .mcp.json of the project. Nothing is started, and secrets are not shown.',
  examples: [
    { line: 'tenon servers', shows: 'every server, by the file that names it' },
    { line: 'tenon servers everything --json', shows: 'one of them, in full' },
    { line: 'tenon servers --config ./servers.json', shows: 'those of one file' },
  ],
  options: {
    config: { type: 'text', short: 'c', value: 'file', help: 'Read this file only' },
  },
  async run(call) {
    const { describeProblem, maskSecrets } = await import('@tenon/host/config')
    const { terminal, words } = call
    const found = await readServers(call.options.config, terminal)
    const wanted = words.length === 0 ? found.entries : words.flatMap((word) => named(word, found, call.options.config))
    const entries = wanted.map(maskSecrets)
    await call.result({ servers: entries, problems: found.problems }, () =>
      show({ ...found, entries }, describeProblem, terminal),
    )
  },
})

function named(word: string, found: Discovered, config: string | undefined): ServerEntry[] {
  const entries = found.entries.filter(({ name }) => name === word)
  if (entries.length === 0 && (word !== builtInName || config !== undefined)) throw unknownServer(word, found)
  return entries
}

function show(
  { entries, problems }: Discovered,
  describeProblem: (problem: Problem) => string,
  terminal: Terminal,
): void {
  const { bold, dim, cyan } = terminal.style
  const groups = new Map<string, ServerEntry[]>()
  for (const entry of entries) {
    const place = `${entry.source.title} ${entry.source.file}`
    groups.set(place, [...(groups.get(place) ?? []), entry])
  }
  for (const members of groups.values()) {
    const { title, file = '' } = members[0]!.source
    terminal.line(bold(say`${title} ${dim(file)}`))
    terminal.print(
      table(
        members.map((entry) => [cyan(entry.name), what(entry)]),
        terminal.columns,
        '  ',
      ),
    )
    for (const { problems: own } of members) for (const problem of own) warn(describeProblem(problem), terminal)
  }
  for (const problem of problems) warn(describeProblem(problem), terminal)
  if (entries.length === 0) {
    terminal.note(say`No servers are configured; ${builtInName} is built in. tenon add saves one, for example:`)
    terminal.note(say`  tenon add mine -- node server.js`)
  }
}

const warn = (text: string, terminal: Terminal): void =>
  terminal.note(say`${terminal.notes.yellow('warning:')} ${text}`)

function what({ transport, disabled, shadowedBy }: ServerEntry): string {
  const state = disabled ? ' (switched off)' : shadowedBy ? ` (hidden by ${shadowedBy.file})` : ''
  return `${transport.kind === 'stdio' ? [transport.command, ...transport.args].join(' ') : transport.url}${state}`
}
