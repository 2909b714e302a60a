import { serveHttp } from '@tenon/sdk/node'
import { createServer } from '@tenon/sdk/server'
import { definition, toolNumber } from './definition.mjs'

/** Several servers with a share of the tools each, or with those of the other rows. */
export async function start({ tools, servers }) {
  const share = Math.ceil(tools / servers)
  const ports = []
  for (let at = 0; at < servers; at++) {
    const own = Array.from({ length: share }, (_, i) => toolNumber(at * share + i))
    const server = tools === 0 ? definition() : serverOf(own)
    ports.push((await serveHttp(server, {})).port)
  }
  return { ports }
}

const serverOf = (tools) => createServer({ name: 'bench', version: '1.0.0', tools, pageSize: tools.length })
