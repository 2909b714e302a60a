import { exportList } from '../kept/export-list.ts'
import { RequestProblem } from '../problem.ts'
import type { KeptCommands } from '../protocol.ts'
import { readText, unexpected } from '../read-params.ts'
import { readRevision } from '../revisions.ts'
import type { Handlers } from './command.ts'
import { serverOf } from './server-commands.ts'

export const keptCommands: Handlers<keyof KeptCommands> = {
  'kept.keep': async (params, bench) => {
    const server = serverOf(params, bench)
    if (params.keep === true) await bench.list.keep(server)
    else await bench.kept.forget(server.id)
    server.tell()
    return {}
  },
  'kept.atStart': async (params, bench) => {
    const server = serverOf(params, bench)
    if (server.spec.kind !== 'url') throw new RequestProblem('A program is started by a person, not by the workbench')
    if (!bench.kept.isKept(server.id)) throw new RequestProblem('This server is not kept', 'Keep it first.')
    await bench.kept.rewrite(server.id, server.spec, params.on === true)
    server.tell()
    return {}
  },
  'kept.startAnew': async (_params, { kept }) => ({ aside: await kept.startAnew() }),
  'kept.forgetSecrets': async (_params, { list }) => {
    await list.forgetSecrets()
    return {}
  },
  'list.move': async (params, bench) => {
    const { by } = params
    if (by !== 1 && by !== -1) throw unexpected('by', '1 or -1', by)
    await bench.list.move(serverOf(params, bench), by)
    return {}
  },
  'list.rename': async (params, bench) => {
    const name = readText(params, 'name').trim()
    if (name === '') throw new RequestProblem('Give the server a name')
    await bench.list.rename(serverOf(params, bench), name.slice(0, 100))
    return {}
  },
  'list.duplicate': async (params, bench) => {
    const server = serverOf(params, bench)
    const { revision } = params
    const wanted = revision === undefined || revision === null ? revision : readRevision(params)
    return { server: (await bench.list.duplicate(server, wanted)).id }
  },
  'list.restore': async (params, { list }) => ({ server: (await list.restore(readText(params, 'server'))).id }),
  'list.export': (_params, { servers }) => exportList(servers.map(({ spec }) => spec)),
}
