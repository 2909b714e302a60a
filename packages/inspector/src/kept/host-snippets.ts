import { ConfigError, describeProblem, knownHosts, readConfigText, toSnippet } from '@tenon/host/config'
import { RequestProblem } from '../problem.ts'
import type { HostSnippet, ServerSpec } from '../protocol.ts'
import { exportList } from './export-list.ts'

/** The entry of a server in the file of every known host; variables of the environment stand for secrets. */
export async function hostSnippets(spec: ServerSpec): Promise<HostSnippet[]> {
  const { text } = exportList([spec])
  const { entries } = await readConfigText(text, { host: 'claude-code' })
  const [entry] = entries
  if (entry === undefined) throw new RequestProblem('A recorded session cannot be used by other applications')
  return Promise.all(
    knownHosts.map(async ({ id, title }): Promise<HostSnippet> => {
      try {
        const snippet = await toSnippet(entry, id)
        return { host: id, title, text: snippet.text, lost: snippet.lost.map(describeProblem) }
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error
        return { host: id, title, lost: [error.message] }
      }
    }),
  )
}
