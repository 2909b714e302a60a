import { serveHttp } from '@tenon/sdk/node'
import { main } from './program.mjs'

await main({ listen: (server) => serveHttp(server), scriptArgs: (script) => [script] })
