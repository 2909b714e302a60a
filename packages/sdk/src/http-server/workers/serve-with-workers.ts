import cluster from 'node:cluster'
import { base64ToBytes } from '../../base64.ts'
import { McpError } from '../../errors.ts'
import { type AnyServer, dispatcherOf } from '../../server/server.ts'
import { adoptKey } from '../../server/stateless/state-keys.ts'
import type { Plan } from '../listening.ts'
import type { HttpServer } from '../serve-http.ts'
import { readAssignment } from './assignment.ts'
import { servePrimary } from './primary.ts'
import { serveWorker } from './worker.ts'

/** Serves from several processes: each of them comes here, and takes its part. */
export async function serveWithWorkers(server: AnyServer, plan: Plan, workers: number): Promise<HttpServer> {
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

/** Whoever asks about a task may reach another process than the one that made it. */
function needSharedTasks(server: AnyServer): void {
  const { definition } = dispatcherOf(server)
  if (!definition.offersTasks || definition.options.tasks?.store !== undefined) return
  throw new McpError(
    'invalid_argument',
    'serveHttp workers: tools that run as tasks need a tasks.store that processes share',
  )
}
