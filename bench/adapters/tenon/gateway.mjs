// An upstream alone, behind a gateway, or behind a bare reverse proxy: the upstream is in a process of its own.
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, createServer, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createGateway, readGatewayConfig, serveGateway } from '@tenon/gateway'
import { newApiKey } from '@tenon/gateway/identity'
import { startHost } from '../../lib/child.mjs'
import { killAtExit } from '../../lib/kill-at-exit.mjs'

const upstreamAdapter = fileURLToPath(new URL('gateway-upstreams.mjs', import.meta.url))

/** @param {{ front?: 'gateway' | 'proxy', guarded?: boolean, tools?: number, upstreams?: number }} settings */
export async function start({ front, guarded = false, tools = 0, upstreams = 1 }) {
  if (front === undefined) {
    const { start: serve } = await import('./gateway-upstreams.mjs')
    const { ports } = await serve({ tools, servers: 1 })
    return { port: ports[0] }
  }
  const host = await startHost(upstreamAdapter, { tools, servers: upstreams })
  killAtExit(host.process)
  const { ports } = host.started
  return front === 'proxy' ? startProxy(ports[0]) : startGateway(ports, guarded)
}

/** As one would write it first: with connections that are kept, and no check of anything. */
async function startProxy(port) {
  const agent = new Agent({ keepAlive: true })
  const server = createServer((incoming, outgoing) => {
    const { method, url: path, headers } = incoming
    const forwarded = request({ host: '127.0.0.1', port, method, path, agent, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode, answer.headers)
      answer.pipe(outgoing)
    })
    incoming.pipe(forwarded)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { port: server.address().port }
}

async function startGateway(ports, guarded) {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-bench-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const { key, hash } = newApiKey()
  const names = ports.map((port, at) => [`upstream-${at}`, port])
  const config = {
    upstreams: Object.fromEntries(
      names.map(([name, port]) => [name, { url: `http://127.0.0.1:${port}/mcp`, cacheListsMs: 60 * 60 * 1000 }]),
    ),
    servers: {
      all: { upstreams: Object.fromEntries(names.map(([name], at) => [name, { prefix: prefixOf(at, names) }])) },
    },
    ...(guarded && { identity: { keys: [{ name: 'bench', hash, groups: ['staff'] }] }, policy, audit: { folder } }),
  }
  const loaded = readGatewayConfig(JSON.stringify(config), folder)
  const gateway = createGateway(loaded.config, { folder, ...(await loaded.parts()) })
  const { port } = await serveGateway(gateway)
  return { port, ...(guarded && { headers: { 'X-Api-Key': key } }) }
}

const prefixOf = (at, { length }) => (length === 1 ? '' : `u${String(at).padStart(2, '0')}_`)

/** Three rules, of which the last one decides: one for the caller, one for the hints of a tool, one for arguments. */
const policy = {
  default: 'deny',
  rules: [
    { name: 'guests', effect: 'deny', when: 'caller.groups.exists(group, group == "guests")' },
    { name: 'deletions', effect: 'deny', match: { name: 'delete_*' }, when: 'annotations.destructiveHint' },
    { name: 'staff', effect: 'allow', when: 'caller.groups.exists(group, group == "staff")' },
  ],
}
