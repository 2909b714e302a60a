import { loggingLevels } from '@tenon/sdk/client'
import { diagnose } from '../diagnosis/diagnose.ts'
import { hostSnippets } from '../kept/host-snippets.ts'
import { RequestProblem } from '../problem.ts'
import type { CatalogKind } from '../protocol.ts'
import { type RawParams, readNumberIfAny, readOneOf, readText } from '../read-params.ts'
import { catalogKinds } from '../servers/catalogs.ts'
import type { ManagedServer } from '../servers/managed-server.ts'
import { readRoots } from '../servers/read-roots.ts'
import { readSpec } from '../servers/read-spec.ts'
import { withSecretsOf } from '../servers/secrets.ts'
import type { Workbench } from '../workbench.ts'
import type { Handlers, Named } from './command.ts'

/** The server that a command is about. */
export const serverOf = (params: RawParams, bench: Workbench): ManagedServer => bench.server(readText(params, 'server'))

export const serverCommands: Handlers<Named<'server'>> = {
  'server.add': async ({ spec }, bench) => ({ server: (await bench.list.add(readSpec(spec))).id }),
  'server.update': async (params, bench) => {
    const server = serverOf(params, bench)
    await bench.list.update(server, withSecretsOf(readSpec(params.spec), server.spec))
    bench.timeline.forgetQueries()
    return {}
  },
  'server.remove': async (params, bench) => {
    await bench.list.remove(serverOf(params, bench))
    return {}
  },
  'server.connect': (params, bench) => {
    const server = serverOf(params, bench)
    refuseIncomplete(server)
    const { spec } = server
    if (spec.kind === 'command' && !bench.trust.allows(spec)) return { challenge: bench.challenge(server.id, spec) }
    // Progress is published as events: it may take as long as a person needs to sign in.
    void server.connect()
    return {}
  },
  'server.confirm': async (params, bench) => {
    const id = bench.trust.confirm(readText(params, 'challenge'), (server) => bench.server(server).spec)
    const server = bench.server(id)
    await bench.list.agreed(server)
    void server.connect()
    return {}
  },
  'server.disconnect': async (params, bench) => {
    await serverOf(params, bench).disconnect()
    return {}
  },
  'server.reveal': (params, bench) => ({ spec: serverOf(params, bench).spec }),
  'server.snippets': async (params, bench) => ({ snippets: await hostSnippets(serverOf(params, bench).spec) }),
  'server.ping': async (params, bench) => ({ pingMs: await serverOf(params, bench).ping() }),
  'server.diagnose': async (params, bench) => {
    const server = serverOf(params, bench)
    const stderr = server.stderr.lines.map(({ text }) => text)
    const steps = await diagnose({ spec: server.spec, view: server.view, stderr }, (done) =>
      bench.events.publish({ type: 'diagnosis', server: server.id, steps: done, done: false }),
    )
    bench.events.publish({ type: 'diagnosis', server: server.id, steps, done: true })
    return { steps }
  },
  'server.stderr': (params, bench) => ({ lines: [...serverOf(params, bench).stderr.lines] }),
  'server.log': (params, bench) => ({
    lines: serverOf(params, bench).log.after(readNumberIfAny(params, 'after') ?? 0),
  }),
  'server.refresh': async (params, bench) => {
    const server = serverOf(params, bench)
    const kinds = params.kind === undefined ? catalogKinds : [readOneOf<CatalogKind>(params, 'kind', catalogKinds)]
    await Promise.all(kinds.map((kind) => server.catalogs.read(server.client, kind)))
    return {}
  },
  'server.setRoots': async (params, bench) => {
    const server = serverOf(params, bench)
    const roots = readRoots(params.roots)
    await server.setRoots(roots)
    await bench.kept.rewrite(server.id, server.spec)
    return { roots }
  },
  'server.setLogLevel': async (params, bench) => {
    await serverOf(params, bench).setLogLevel(readOneOf(params, 'level', loggingLevels))
    return {}
  },
  'server.signOut': async (params, bench) => {
    await serverOf(params, bench).signOut()
    return {}
  },
}

/** A server whose secrets are gone would be started without them, and fail in ways that are hard to understand. */
function refuseIncomplete({ view: { missing = [], spec } }: ManagedServer): void {
  if (missing.length === 0) return
  throw new RequestProblem(
    `${spec.name} needs what is not known any more: ${missing.join(', ')}`,
    'Give it under Settings, or save the settings as they are to do without.',
  )
}
