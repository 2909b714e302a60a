import { readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import {
  type LintCatalogue,
  type LintRule,
  type LintSnapshot,
  lint,
  lintMarkdown,
  lintRules,
  lintSarif,
  lintSnapshot,
  lintText,
  type Provider,
  providers,
  readLintSnapshot,
  type Severity,
  severities,
} from '@tenon/host/lint'
import { command } from '../../command.ts'
import { CommandFailure, ExitCode, usage } from '../../exit.ts'
import { didYouMean } from '../../line/did-you-mean.ts'
import { collectLists, lists } from '../../list/lists.ts'
import { showFailures } from '../../list/show-lists.ts'
import { withServer } from '../../server/connect.ts'
import { connectionOptions } from '../../server/options.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { say, toText } from '../../terminal/text.ts'
import { wrap } from '../../terminal/width.ts'

const formats = { text: lintText, markdown: lintMarkdown, sarif: lintSarif }

export default command({
  name: 'lint',
  summary: 'Find faults in the tools, prompts and resources of a server',
  usage: ['<target>', '-- <program> [argument…]'],
  details:
    'Looks at names, descriptions, annotations, schemas that providers of models refuse, the tokens that all tools take, hidden characters, and orders to the model. Nothing is called. Exits with 8 if there is an error; with --level warning or note, if there is a finding of this severity or a worse one.',
  examples: [
    { line: 'tenon lint everything', shows: 'the findings for all providers' },
    { line: 'tenon lint everything --provider anthropic --json', shows: 'those that matter for one, as data' },
    { line: 'tenon lint everything --save seen.json', shows: 'keep the definitions, for --since of another day' },
    { line: 'tenon lint --format sarif -- node server.js > lint.sarif', shows: 'for code scanning in CI' },
  ],
  options: {
    level: {
      type: 'text',
      value: 'severity',
      help: 'Exit with 8 from this severity on: error (default), warning, note',
    },
    provider: {
      type: 'list',
      value: 'name',
      help: 'Only the limits of these: anthropic, google, openai; openai-strict only so',
    },
    ignore: { type: 'list', value: 'rule', help: 'Leave out a rule; may be given several times' },
    'max-tokens': { type: 'text', value: 'count', help: 'The tokens that all tool definitions may take; 10000' },
    since: { type: 'text', value: 'file', help: 'Also report changes since a file that --save wrote' },
    save: { type: 'text', value: 'file', help: 'Write the definitions to a file' },
    format: { type: 'text', value: 'name', help: 'text (default), markdown, or sarif' },
    ...connectionOptions,
  },
  async run(call) {
    const { terminal, options } = call
    const level = oneOf<Severity>('--level', options.level ?? 'error', severities)
    const format = oneOf('--format', options.format ?? 'text', ['text', 'markdown', 'sarif'] as const)
    const maxTokens = tokensIn(options['max-tokens'])
    const names = Object.keys(providers) as Provider[]
    const chosen = options.provider.map((name) => oneOf('--provider', name, names))
    const ignore = options.ignore.map((name) => oneOf('--ignore', name, Object.keys(lintRules) as LintRule[]))
    const path = (file: string): string => resolve(terminal.surroundings.cwd, file)
    const since = options.since === undefined ? undefined : await readSince(path(options.since), options.since)
    await withServer(call, async ({ client, label, words }) => {
      if (words.length > 0) throw usage(`Unexpected ${JSON.stringify(words[0])}`)
      const { info, instructions, capabilities } = client.server
      const kinds = [...lists.keys()].filter((kind) => Object.hasOwn(capabilities, lists.get(kind)!.capability))
      const { found, failed } = await collectLists(client, kinds, call.signal)
      const catalogue: LintCatalogue = {
        server: info?.name ?? label,
        ...(instructions !== undefined && { instructions }),
        ...Object.fromEntries(found),
      }
      const report = lint(catalogue, {
        ...(chosen.length > 0 && { providers: chosen }),
        ...(since && { since }),
        ...(maxTokens !== undefined && { maxTokens }),
        ignore,
      })
      if (options.save !== undefined)
        await writeFile(path(options.save), `${JSON.stringify(lintSnapshot(catalogue))}\n`)
      if (failed.size > 0) call.envelope.failed = Object.fromEntries(failed)
      const counted = severities.slice(0, severities.indexOf(level) + 1)
      const count = counted.reduce((sum, name) => sum + report.counts[name], 0)
      const failure = new CommandFailure(
        ExitCode.Different,
        'findings',
        `${count} ${count === 1 ? 'finding' : 'findings'} of the severity ${counted.join(' or ')}`,
      )
      const show = (): void => {
        if (format === 'text' && terminal.isRead) showOnTerminal(formats.text(report), terminal)
        else terminal.content(formats[format](report))
        showFailures(failed, terminal)
      }
      await call.result(report, show, count > 0 ? failure : undefined)
    })
  },
})

/** Breaks long lines, and keeps the parts of a finding below each other. */
function showOnTerminal(report: string, terminal: Terminal): void {
  const { bold, red, yellow, dim } = terminal.style
  const colours = new Map([
    ['error', red],
    ['warning', yellow],
    ['note', dim],
  ])
  const lines = report.trimEnd().split('\n')
  for (const [index, line] of lines.entries()) {
    const [lead, severity = ''] = /^(?: {2}(error|warning|note) +| *)/.exec(line)!
    const room = Math.max(terminal.columns - lead.length, 30)
    const [first, ...others] = wrap(toText(line.slice(lead.length)), room)
    const isHeading = lead === '' && index < lines.length - 1
    terminal.line(say`${colours.get(severity)?.(lead) ?? lead}${isHeading ? bold(first!) : first!}`)
    for (const other of others) terminal.line(say`${' '.repeat(lead.length)}${other}`)
  }
}

function oneOf<Value extends string>(option: string, given: string, known: readonly Value[]): Value {
  const found = known.find((name) => name === given)
  if (found !== undefined) return found
  throw usage(
    `${option}: unknown ${JSON.stringify(given)}`,
    didYouMean(given, known) ?? `Expected ${known.slice(0, 10).join(', ')}${known.length > 10 ? ', …' : ''}.`,
  )
}

function tokensIn(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const count = Number(text)
  if (Number.isSafeInteger(count) && count > 0) return count
  throw usage(`--max-tokens: expected a whole number above 0, got ${JSON.stringify(text)}`)
}

async function readSince(path: string, shown: string): Promise<LintSnapshot> {
  try {
    return readLintSnapshot(JSON.parse(await readFile(path, 'utf8')))
  } catch (error) {
    throw usage(`--since ${shown}: ${(error as Error).message}`, 'Write such a file with --save.')
  }
}
