// Plain BullMQ: jobs that do nothing, made and run in one process.
import { createRequire } from 'node:module'

const { Queue, Worker } = createRequire(new URL('../../../packages/redis/package.json', import.meta.url))('bullmq')

export async function start({ redisUrl, concurrency }) {
  const { hostname: host, port } = new URL(redisUrl)
  const connection = { host, port: Number(port), maxRetriesPerRequest: null }
  const queue = new Queue('bench', { connection })
  let left = 0
  let done = () => {}
  const worker = new Worker(
    'bench',
    async () => {
      if (--left === 0) done()
      return 'done'
    },
    { connection, concurrency },
  )
  await Promise.all([queue.waitUntilReady(), worker.waitUntilReady()])
  return {
    async run(count, lanes) {
      left = count
      const all = new Promise((resolve) => {
        done = resolve
      })
      let begun = 0
      const lane = async () => {
        while (begun++ < count) await queue.add('job', {}, { removeOnComplete: true })
      }
      await Promise.all(Array.from({ length: lanes }, lane))
      await all
    },
    async close() {
      await worker.close(true)
      await queue.close()
    },
  }
}
