// Four processes of the server that share a Redis, behind a balancer that sends each request to the next of them.
import { fileURLToPath } from 'node:url'

process.argv.splice(2, 0, fileURLToPath(new URL('./server.mjs', import.meta.url)))
await import('../../scripts/balanced/run.mjs')
