import { redis, runTasks } from '@tenon/redis'
import { connect } from '@tenon/sdk/client'
import { createServer, tool } from '@tenon/sdk/server'

/** Makes and runs tasks in one process; returns a function that does so many of them. */
export async function start({ redisUrl, concurrency }) {
  let left = 0
  let done = () => {}
  const job = tool({
    name: 'job',
    task: true,
    run() {
      if (--left === 0) done()
      return 'done'
    },
  })
  const shared = redis(redisUrl, { tasks: { concurrency } })
  const { store, queue } = shared.tasks
  const server = createServer({
    name: 'bench',
    version: '1.0.0',
    tools: [job],
    bus: shared.sessions.bus,
    tasks: { store, queue, maxTasks: 1_000_000, maxPerCaller: 1_000_000, ttlMs: 60_000 },
  })
  const workers = await runTasks(server, { connection: shared })
  const client = await connect(server, { revisions: ['2026-07-28'] })
  return {
    async run(count, lanes) {
      left = count
      const all = new Promise((resolve) => {
        done = resolve
      })
      let begun = 0
      const lane = async () => {
        while (begun++ < count) await client.tasks.start('job', {})
      }
      await Promise.all(Array.from({ length: lanes }, lane))
      await all
    },
    async close() {
      await client.close()
      await workers.close(0)
      await shared.close()
    },
  }
}
