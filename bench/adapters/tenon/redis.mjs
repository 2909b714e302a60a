import { redis } from '@tenon/redis'
import { serveHttp } from '@tenon/sdk/node'
import { resource, tool } from '@tenon/sdk/server'
import { definition } from './definition.mjs'

/** The server of the other rows; with `redisUrl` it is one of several processes. */
export async function start({ redisUrl, responseMode = 'json' }) {
  const server = definition()
  server.resources.add(resource({ uri: 'note:///news', name: 'news', read: () => '' }))
  server.tools.add(tool({ name: 'touch', run: () => void server.resources.changed('note:///news') }))
  const limits = { maxListens: 20_000, maxInFlight: 30_000 }
  const shared = redisUrl === undefined ? { sessions: { max: 20_000 } } : redis(redisUrl, { tasks: { work: false } })
  const http = await serveHttp(server, { responseMode, ...limits, ...shared })
  return { port: http.port }
}
