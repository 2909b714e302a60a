import type { ConfigFile, Problem, ServerEntry } from '@tenon/host/config'
import type { ConfigChange } from '@tenon/host/config/write'
import type { CommandCall } from '../command.ts'
import { CommandFailure, ExitCode } from '../exit.ts'
import { say } from '../terminal/text.ts'
import { applyChanges } from './apply-changes.ts'
import type { writingOptions } from './options.ts'

type Call = CommandCall<typeof writingOptions & { replace: { type: 'flag'; help: string } }>

/** Writes servers into files, each of them into every file. */
export async function writeServers(
  call: Call,
  entries: readonly ServerEntry[],
  places: readonly ConfigFile[],
): Promise<void> {
  const { secretsOf } = await import('@tenon/host/config')
  const { planAdd } = await import('@tenon/host/config/write')
  const { replace } = call.options
  const changes: ConfigChange[] = []
  const unchanged: ConfigFile[] = []
  for (const place of places) {
    const change = await planAdd(entries, place, { replace }).catch(explainExisting)
    if (change === undefined) unchanged.push(place)
    else changes.push(change)
  }
  warnOfSecrets(call, entries, places, secretsOf)
  await applyChanges(call, changes, unchanged)
}

/** The library does not know the options of this command. */
function explainExisting(error: unknown): never {
  const { problem, message } = error as { problem?: Problem; message: string }
  if (problem?.code === 'exists') throw new CommandFailure(ExitCode.Usage, 'exists', message, '--replace replaces it.')
  throw error
}

/** A file of a project is seen by everyone who has the project. */
function warnOfSecrets(
  { terminal }: Call,
  entries: readonly ServerEntry[],
  places: readonly ConfigFile[],
  secretsOf: (entry: ServerEntry) => { path: readonly (string | number)[] }[],
): void {
  const shared = places.filter(({ scope }) => scope === 'project')
  if (shared.length === 0) return
  for (const entry of entries) {
    for (const { path } of secretsOf(entry))
      terminal.warn(
        say`${terminal.notes.yellow('warning:')} ${entry.name}: ${path.join('.')} looks like a secret, and the file is for everyone who has the project`,
      )
  }
}
