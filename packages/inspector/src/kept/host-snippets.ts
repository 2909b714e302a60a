import { ConfigError, describeProblem, type HostId, knownHosts, readConfigText, toSnippet } from '@tenon/host/config'
import { RequestProblem } from '../problem.ts'
import type { HostSnippet, ServerSpec } from '../protocol.ts'
import { exportList } from './export-list.ts'

type Entry = Parameters<typeof toSnippet>[0]

/**
 * The entry of a server in the file of every known host, and its install link where the host has one; variables of the
 * environment stand for secrets.
 */
export async function hostSnippets(spec: ServerSpec): Promise<HostSnippet[]> {
  const { text } = exportList([spec])
  const { entries } = await readConfigText(text, { host: 'claude-code' })
  const [entry] = entries
  if (entry === undefined) throw new RequestProblem('A recorded session cannot be used by other applications')
  return Promise.all(
    knownHosts.map(async ({ id, title }): Promise<HostSnippet> => {
      try {
        const snippet = await toSnippet(entry, id)
        const { link, lost } = await linkFor(entry, id)
        const reasons = new Set([...snippet.lost, ...lost].map(describeProblem))
        return { host: id, title, text: snippet.text, lost: [...reasons], ...(link && { link }) }
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error
        return { host: id, title, lost: [error.message] }
      }
    }),
  )
}

async function linkFor(entry: Entry, host: HostId): Promise<Pick<HostSnippet, 'link'> & { lost: Snippet['lost'] }> {
  const { linkHosts, toInstallLink } = await import('@tenon/host/config/write')
  if (!linkHosts.includes(host)) return { lost: [] }
  const { url, page, badge, title, lost } = await toInstallLink(entry, host)
  return { link: { url, markdown: `[![Install in ${title}](${badge})](${page ?? url})` }, lost }
}

type Snippet = Awaited<ReturnType<typeof toSnippet>>
