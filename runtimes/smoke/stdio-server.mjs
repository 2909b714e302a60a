import { serveStdio } from '@tenon/sdk/stdio'
import { smokeServer } from './server.mjs'

const connection = serveStdio(smokeServer().server)
// Must not reach the client.
console.log('The smoke server is ready')
await connection
