import { join as joinPath } from 'node:path'
import type { ConfigFile } from '@tenon/host/config'
import type { ConfigChange } from '@tenon/host/config/write'
import { tenonFolder } from '@tenon/host/folder'
import { yesOrNo } from '../ask/yes-or-no.ts'
import type { CommandCall } from '../command.ts'
import { CommandFailure, ExitCode, usage } from '../exit.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { say } from '../terminal/text.ts'
import type { writingOptions } from './options.ts'

type Call = CommandCall<typeof writingOptions>

/** Shows the changes of files, asks, and writes them: all were worked out before the first is written. */
export async function applyChanges(
  call: Call,
  changes: readonly ConfigChange[],
  unchanged: readonly ConfigFile[] = [],
): Promise<void> {
  const { terminal, options } = call
  const diffs = await Promise.all(changes.map(diffOf))
  if (!options.json) {
    for (const [index, change] of changes.entries()) show(change, diffs[index]!, terminal)
  }
  for (const { file } of unchanged) terminal.note(say`Nothing to change in ${file}`)
  await tellLosses(changes, terminal)
  if (changes.length > 0 && !options['dry-run']) await confirm(call, changes)
  const backups = options['dry-run'] ? [] : await writeAll(changes, terminal)
  const result = changes.map(({ kind, names, host, file, lost }, index) => ({
    ...{ kind, servers: names, host, file, written: !options['dry-run'], diff: diffs[index] },
    ...(backups[index] !== undefined && { backup: backups[index] }),
    lost,
  }))
  const same = unchanged.map(({ host, file }) => ({ host, file }))
  await call.result({ changes: result, unchanged: same }, () => {
    if (options['dry-run'] && changes.length > 0) terminal.note(say`Nothing is written: --dry-run.`)
  })
}

const marks = { same: ' ', added: '+', removed: '-' } as const

async function diffOf(change: ConfigChange): Promise<string> {
  const { changeDiff } = await import('@tenon/host/config/write')
  return (await changeDiff(change)).map(({ kind, text }) => `${marks[kind]} ${text}\n`).join('')
}

function show({ title, file, before }: ConfigChange, diff: string, terminal: Terminal): void {
  const { bold, dim, green, red } = terminal.style
  terminal.line(bold(say`${title} ${dim(before === undefined ? `${file} (new)` : file)}`))
  for (const line of diff.trimEnd().split('\n')) {
    terminal.line(line.startsWith('+') ? green(line) : line.startsWith('-') ? red(line) : dim(line))
  }
}

async function tellLosses(changes: readonly ConfigChange[], terminal: Terminal): Promise<void> {
  const { describeProblem } = await import('@tenon/host/config')
  for (const { lost } of changes) {
    for (const problem of lost) terminal.warn(say`${terminal.notes.yellow('warning:')} ${describeProblem(problem)}`)
  }
}

async function confirm({ options, terminal, signal }: Call, changes: readonly ConfigChange[]): Promise<void> {
  if (options.yes) return
  if (!terminal.canAsk)
    throw usage('Nothing is written without a terminal to ask on', '--yes writes it, --dry-run only shows it.')
  const question = changes.length === 1 ? 'Write it?' : `Write these ${changes.length} files?`
  if (await yesOrNo(question, true, terminal, signal)) return
  throw new CommandFailure(ExitCode.Usage, 'declined', 'Nothing was changed')
}

async function writeAll(changes: readonly ConfigChange[], terminal: Terminal): Promise<(string | undefined)[]> {
  const { writeChange } = await import('@tenon/host/config/write')
  const backups: (string | undefined)[] = []
  for (const change of changes) {
    const folder = joinPath(tenonFolder({ env: terminal.surroundings.env }), 'backups')
    const { backup } = await writeChange(change, { backups: folder })
    terminal.note(say`${done[change.kind]} ${change.names.join(', ')}: ${change.file}`)
    if (backup !== undefined) terminal.note(terminal.notes.dim(`The file as it was: ${backup}`))
    backups.push(backup)
  }
  return backups
}

const done = {
  add: 'Added',
  replace: 'Replaced',
  remove: 'Removed',
  enable: 'Switched on',
  disable: 'Switched off',
} as const
