import { randomUUID } from 'node:crypto'
import {
  describeProblem,
  discoverServers,
  expand,
  type Problem,
  parsePasted,
  type ServerEntry,
} from '@tenon/host/config'
import { RequestProblem } from '../problem.ts'
import type { FoundServers, ServerSpec } from '../protocol.ts'
import { withoutSecrets } from '../servers/secrets.ts'
import { entryToSpec } from './entry-to-spec.ts'

const maxKept = 2_000

/** Servers in config files and pasted text. They stay here, with their secrets, until one is chosen. */
export class ServersFound {
  readonly #entries = new Map<string, ServerEntry>()

  /** The servers in the configuration of other applications on this machine. */
  async find(): Promise<FoundServers[]> {
    const { entries, problems } = await discoverServers()
    const groups = new Map<string, { source: string; path: string | undefined; members: ServerEntry[] }>()
    for (const entry of entries) {
      const { title: source, file: path } = entry.source
      const key = `${source}\n${path}`
      const group = groups.get(key) ?? { source, path, members: [] }
      groups.set(key, group)
      group.members.push(entry)
    }
    const found = [...groups.values()].map(({ source, path, members }) => ({
      ...this.#show(source, members, []),
      ...(path !== undefined && { path }),
    }))
    if (problems.length === 0) return found
    return [...found, this.#show('Unreadable files', [], problems)]
  }

  async parse(text: string): Promise<FoundServers> {
    const { entries, problems } = await parsePasted(text)
    return this.#show('Pasted text', entries, problems)
  }

  /** The specification of a server that was found, with its variables filled in. */
  async resolve(key: string): Promise<ServerSpec> {
    const entry = this.#entries.get(key)
    if (entry === undefined) throw new RequestProblem('This list is too old', 'Look for servers again.')
    const resolved = await expand(entry)
    const [missing] = resolved.unresolved
    if (missing === undefined) return entryToSpec(resolved)
    throw new RequestProblem(
      `${entry.name} needs ${missing.text}: ${missing.why}`,
      'Set it before the workbench is started, or add the server by hand.',
    )
  }

  #show(source: string, entries: readonly ServerEntry[], problems: readonly Problem[]): FoundServers {
    const servers = entries.map((entry) => {
      const key = randomUUID()
      this.#entries.set(key, entry)
      if (this.#entries.size > maxKept) this.#entries.delete(this.#entries.keys().next().value!)
      return { key, spec: shown(entry) }
    })
    const all = [...problems, ...entries.flatMap((entry) => entry.problems)]
    return { source, servers, problems: all.map((problem) => describeProblem(problem)) }
  }
}

/** As the page may see it. The URL of an entry may be invalid. */
function shown(entry: ServerEntry): ServerSpec {
  const spec = entryToSpec(entry)
  return spec.kind === 'url' && !URL.canParse(spec.url) ? { ...spec, headers: {} } : withoutSecrets(spec)
}
