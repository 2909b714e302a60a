import type { HostId } from '@tenon/host/config'
import { usage } from '../exit.ts'
import { didYouMean } from '../line/did-you-mean.ts'
import type { OptionTable } from '../line/options.ts'

/** The options of every command that writes files of hosts. */
export const writingOptions = {
  yes: { type: 'flag', short: 'y', help: 'Write without asking, as scripts have to' },
  'dry-run': { type: 'flag', help: 'Show the changes, and write nothing' },
} as const satisfies OptionTable

export const scopeOption = {
  scope: {
    type: 'choice',
    choices: ['user', 'project'],
    help: 'Whose file: yours, or the one of the project in this folder',
  },
} as const satisfies OptionTable

/** The hosts of `cursor,vscode`, each once. */
export async function readHosts(option: string, lists: readonly string[]): Promise<HostId[]> {
  const { knownHosts } = await import('@tenon/host/config')
  const known = knownHosts.map(({ id }) => id)
  const words = lists.flatMap((list) => list.split(',')).map((word) => word.trim())
  const found = words.map((word) => {
    const host = known.find((id) => id === word)
    if (host !== undefined) return host
    throw usage(
      `--${option}: there is no host ${JSON.stringify(word)}`,
      didYouMean(word, known) ?? `There are ${known.join(', ')}.`,
    )
  })
  return [...new Set(found)]
}
