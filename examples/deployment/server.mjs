// A server for any number of processes: `node server.mjs` serves, `node server.mjs worker` runs tasks and serves nobody.
import { redis, runTasks } from '@tenon/redis'
import { serveHttp } from '@tenon/sdk/node'
import { createServer, tool } from '@tenon/sdk/server'

const { PORT = '3000', REDIS_URL = 'redis://localhost:6379', STATE_KEY, ALLOWED_HOSTS = 'localhost' } = process.env

const server = createServer({
  name: 'tables',
  version: '1.0.0',
  tools: [
    tool({ name: 'book', run: () => 'Booked' }),
    tool({ name: 'report', task: { retry: true }, run: () => 'All tables are taken' }),
  ],
  ...(STATE_KEY && { stateKeys: [STATE_KEY] }),
})

const isWorker = process.argv[2] === 'worker'
// With workers, those that serve leave the tasks to them.
const shared = redis(REDIS_URL, { prefix: 'tables', tasks: { work: isWorker } })

if (isWorker) {
  const workers = await runTasks(server, { connection: shared })
  process.once('SIGTERM', async () => {
    await workers.close(25_000)
    await shared.close()
  })
} else {
  const http = await serveHttp(server, {
    host: '0.0.0.0',
    port: Number(PORT),
    allowedHosts: ALLOWED_HOSTS.split(','),
    ...shared,
  })
  console.log(`listening on ${http.url}`)
  process.once('SIGTERM', async () => {
    await http.close(25_000)
    await shared.close()
  })
}
