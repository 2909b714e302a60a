import type { SessionCommands } from '../protocol.ts'
import { type RawParams, readText } from '../read-params.ts'
import { knownRevision } from '../revisions.ts'
import { connectionBeginning, entriesOf } from '../sessions/entries.ts'
import type { Timeline } from '../timeline/timeline.ts'
import type { Workbench } from '../workbench.ts'
import type { Handlers } from './command.ts'
import { serverOf } from './server-commands.ts'

export const sessionCommands: Handlers<keyof SessionCommands> = {
  'session.open': async (params, { sessions }) => ({
    session: await sessions.open(readText(params, 'name'), readText(params, 'text')),
  }),
  'session.record': (params, bench) => {
    const server = serverOf(params, bench)
    const { connection } = server
    const beginning = connection === undefined ? [] : connectionBeginning(bench.timeline, server.id, connection)
    return { session: bench.sessions.record(server, beginning) }
  },
  'session.stop': async (params, { sessions }) => {
    await sessions.stop(readText(params, 'session'))
    return {}
  },
  'session.take': async (params, bench) => {
    const server = serverOf(params, bench)
    return { session: await bench.sessions.take(server, entriesOf(bench.timeline, server.id)) }
  },
  'session.text': (params, { sessions }) => sessions.text(readText(params, 'session')),
  'session.remove': (params, { sessions }) => {
    sessions.remove(readText(params, 'session'))
    return {}
  },
  'session.serve': (params, bench) => {
    const id = readText(params, 'session')
    const { name, revision } = bench.sessions.serve(id)
    // In the revision of the recording, answers are the same, member for member.
    const known = knownRevision(revision)
    const spec = {
      kind: 'session',
      name: `${name} (recorded)`,
      session: id,
      ...(known && { revision: known }),
    } as const
    const server = bench.add(spec)
    void server.connect()
    return { server: server.id }
  },
  'session.diff': (params, { sessions }) => ({
    diff: sessions.diff(readText(params, 'before'), readText(params, 'after')),
  }),
}

/** The timeline that a command is about: that of the servers, or that of a session. */
export const timelineFor = (params: RawParams, bench: Workbench): Timeline =>
  params.session === undefined ? bench.timeline : bench.sessions.timeline(readText(params, 'session'))
