import cluster from 'node:cluster'
import { McpError } from '../../errors.ts'
import { base64ToBytes } from '../../internal/base64.ts'
import { type AnyServer, dispatcherOf } from '../../server/server.ts'
import { adoptKey } from '../../server/stateless/state-keys.ts'
import type { ServePlan } from '../node/http-listener.ts'
import type { HttpServer } from '../serve-http.ts'
import { servePrimary } from './primary.ts'
import { serveWorker } from './worker.ts'
import { readAssignment } from './worker-assignment.ts'

/** Serves from several processes: each of them calls this, as the first one or as a worker. */
export async function serveWithWorkers(server: AnyServer, plan: ServePlan, workers: number): Promise<HttpServer> {
  if (!Number.isInteger(workers) || workers < 1) {
    throw new McpError('invalid_argument', `serveHttp workers: expected a whole number, got ${workers}`)
  }
  needSharedTasks(server)
  if (cluster.isPrimary) return servePrimary(server, plan, workers)
  const assignment = readAssignment()
  if (assignment === undefined) {
    throw new McpError('unsupported', 'serveHttp workers: this process is itself a worker that somebody else started')
  }
  adoptKey(base64ToBytes(assignment.stateKey))
  return serveWorker(server, plan, assignment)
}

/** A request about a task may reach another process than the one that made it. */
function needSharedTasks(server: AnyServer): void {
  const { definition } = dispatcherOf(server)
  if (!definition.offersTasks || definition.options.tasks?.store !== undefined) return
  throw new McpError(
    'invalid_argument',
    'serveHttp workers: tools that run as tasks need a tasks.store that processes share',
  )
}
