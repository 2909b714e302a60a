import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { callsFolderIn, defaultFolder, evalsFolderIn } from '../files/default-folder.ts'
import { SeenDefinitions } from '../lint/seen-definitions.ts'
import { keptModel } from '../model/kept-model.ts'
import { ModelKeys } from '../playground/model-keys.ts'
import type { ServerSpec } from '../protocol.ts'
import type { ManagedServer } from '../servers/managed-server.ts'
import { Workbench } from '../workbench.ts'
import { KeptServers, maxServers, type Restored } from './kept-servers.ts'

/** How a workbench begins. */
interface Beginning {
  servers: readonly ServerSpec[]
  folder?: string
  calls?: string
  evals?: string
  fresh?: boolean
}

interface Begun {
  bench: Workbench
  /** Connects the servers that were given, and those that are set to be connected at once. */
  connect(): void
}

/** A workbench with the servers that were given and those that were kept; a server that is both is there once. */
export async function beginWorkbench(beginning: Beginning): Promise<Begun> {
  const { servers, folder = defaultFolder(), calls = callsFolderIn(folder), fresh = false } = beginning
  const evals = { cases: beginning.evals ?? evalsFolderIn(folder), folder }
  const kept = fresh ? KeptServers.none() : await KeptServers.open(folder)
  const store = kept.secrets?.store
  const [model, modelKeys] = [await keptModel(store), await ModelKeys.open(store)]
  const seen = new SeenDefinitions(fresh ? undefined : folder)
  const bench = new Workbench({ calls, evals, kept, model, modelKeys, seen })
  const restored = await kept.restore(maxServers - servers.length)
  const taken = new Set(restored.map(({ id }) => id))
  const wanted: ManagedServer[] = []
  for (const given of servers) {
    const same = restored.find(({ spec }) => isSameServer(spec, given))
    if (same !== undefined) {
      restored.splice(restored.indexOf(same), 1)
      kept.found(same.id)
    }
    const spec = same === undefined ? given : merged(same, given)
    bench.trust.trust(spec)
    wanted.push(bench.add(spec, same?.id ?? idOf(given, taken)))
  }
  for (const { id, spec, isAgreed, atStart, missing } of restored) {
    if (isAgreed) bench.trust.trust(spec)
    const server = bench.add(spec, id)
    // A program is started by a person only.
    if (atStart && spec.kind === 'url' && missing.length === 0) wanted.push(server)
  }
  const connect = (): void => {
    for (const server of wanted) void server.connect()
  }
  return { bench, connect }
}

/** The same id at every start, so that addresses in the page stay; another for the same server given twice. */
function idOf(spec: ServerSpec, taken: Set<string>): string {
  const place =
    spec.kind === 'command' ? [spec.command, spec.args ?? [], spec.cwd] : spec.kind === 'url' ? [spec.url] : []
  for (let count = 0; ; count++) {
    const text = JSON.stringify([spec.kind, ...place, spec.revision ?? null, count])
    const id = createHash('sha256').update(text).digest('base64url').slice(0, 16)
    if (taken.has(id)) continue
    taken.add(id)
    return id
  }
}

/** Whether two specifications lead to the same place, in the same revision. */
function isSameServer(spec: ServerSpec, other: ServerSpec): boolean {
  if (spec.revision !== other.revision) return false
  if (spec.kind === 'url') return other.kind === 'url' && spec.url === other.url
  if (spec.kind !== 'command' || other.kind !== 'command') return false
  const place = ({ command, args = [], cwd }: typeof spec): unknown[] => [command, args, cwd]
  return isDeepStrictEqual(place(spec), place(other))
}

/** As it was given now, with the name and the secrets that it is kept with where nothing else was said. */
function merged({ spec, missing }: Restored, given: ServerSpec): ServerSpec {
  const known = (values: { [name: string]: string } = {}): { [name: string]: string } =>
    Object.fromEntries(Object.entries(values).filter(([name]) => !missing.includes(name)))
  if (spec.kind === 'command' && given.kind === 'command') {
    const env = { ...known(spec.env), ...given.env }
    return { ...spec, ...given, name: spec.name, ...(Object.keys(env).length > 0 && { env }) }
  }
  if (spec.kind !== 'url' || given.kind !== 'url') return given
  const headers = { ...known(spec.headers), ...given.headers }
  return { ...spec, ...given, name: spec.name, ...(Object.keys(headers).length > 0 && { headers }) }
}
