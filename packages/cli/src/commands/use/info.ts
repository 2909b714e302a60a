import type { ServerDescription } from '@tenon/sdk/client'
import { command } from '../../command.ts'
import { withServer } from '../../server/connect.ts'
import { connectionOptions } from '../../server/options.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { paragraph, say } from '../../terminal/text.ts'
import { wrap } from '../../terminal/width.ts'

export default command({
  name: 'info',
  summary: 'Show the name, revision and capabilities of a server',
  usage: ['<target>', '-- <program> [argument…]'],
  examples: [
    { line: 'tenon info https://example.com/mcp', shows: 'the server and its revision' },
    { line: 'tenon info everything --json', shows: 'the same for a script' },
  ],
  options: connectionOptions,
  run: (call) =>
    withServer(call, async ({ client, declared, label }) => {
      const { info, instructions, revision } = client.server
      const server = { info, revision, capabilities: declared, instructions }
      await call.result(server, () => show(server, label, call.terminal))
    }),
})

function show(
  { info, capabilities, instructions, revision }: ServerDescription,
  label: string,
  terminal: Terminal,
): void {
  const { bold, dim } = terminal.style
  const title = info ? (info.title ?? info.name) : label
  terminal.line(bold(title))
  if (info?.description) terminal.line(paragraph(info.description))
  const rows = [
    ['name', info ? `${info.name} ${info.version}` : 'not told'],
    ['revision', revision],
    ...(info?.websiteUrl ? [['website', info.websiteUrl]] : []),
    ...offers(capabilities).map((offer, index) => [index === 0 ? 'offers' : '', offer]),
  ]
  for (const [name, value] of rows) {
    const [first, ...others] = wrap(paragraph(value!), Math.max(terminal.columns - nameWidth, 30))
    terminal.line(say`${dim(name!.padEnd(nameWidth))}${first!}`)
    for (const line of others) terminal.line(say`${' '.repeat(nameWidth)}${line}`)
  }
  if (!instructions) return
  terminal.line()
  terminal.line(dim('instructions'))
  for (const line of wrap(paragraph(instructions), Math.min(terminal.columns, 100))) terminal.line(line)
}

/** The names of the rows, and a gap. */
const nameWidth = 10

/** Capabilities with their features in brackets: `tools (listChanged)`. */
function offers(capabilities: ServerDescription['capabilities']): string[] {
  return Object.entries(capabilities).flatMap(([name, value]) => {
    if (typeof value !== 'object' || value === null) return []
    const members = Object.entries(value)
    const features = members
      .filter(([, member]) => member !== false && member !== undefined)
      .map(([feature]) => feature)
    return [features.length === 0 ? name : `${name} (${features.join(', ')})`]
  })
}
