import type { ServerTasks, TaskWorkers } from '@tenon/sdk/server'
import { type RedisOptions, redis, SharedRedis } from '../redis.ts'

export interface RunTasksOptions extends RedisOptions {
  /** The address of Redis, or what `redis` returned, which is then not closed with the workers. */
  connection: string | SharedRedis
}

/**
 * Runs the tasks of a server in a process that serves no clients. Others make the tasks, with `...redis(url)`.
 *
 * @example
 * const workers = await runTasks(server, { connection: 'redis://localhost:6379' })
 * process.once('SIGTERM', () => void workers.close(20_000))
 */
export async function runTasks(
  server: { readonly tasks: ServerTasks },
  { connection, ...options }: RunTasksOptions,
): Promise<TaskWorkers> {
  const isGiven = connection instanceof SharedRedis
  const shared = isGiven ? connection : redis(connection, options)
  const workers = await server.tasks.work({ ...shared.tasks, bus: shared.sessions.bus })
  const close = async (graceMs?: number): Promise<void> => {
    await workers.close(graceMs)
    if (!isGiven) await shared.close()
  }
  return { close, [Symbol.asyncDispose]: close }
}
