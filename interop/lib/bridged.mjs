// Tenon's bridge between a client and a server that work together directly.
import { ownScript } from './servers.mjs'

/**
 * A client reaches the bridge over HTTP if it can, and the bridge starts the server as a program, as `tenon expose` does; unless
 * `bridgedOver` of the server names other transports.
 */
const nearFirst = ['http', 'stdio', 'sse']
const farFirst = ['stdio', 'http', 'sse']

/** The transports on both sides of the bridge in an era; undefined if the client and the server do not share the era. */
export function legsOf(client, server, suffix) {
  const direct = (one) => client.transports.includes(one) && server.transports.includes(one)
  const named = (kinds) => kinds.map((kind) => `${kind}${suffix}`)
  if (server.unbridged || !named(nearFirst).some(direct)) return undefined
  return {
    near: named(nearFirst).find((one) => client.transports.includes(one)),
    far: named(server.bridgedOver ?? farFirst).find((one) => server.transports.includes(one)),
  }
}

/** Starts a server with the bridge in front of it. */
export async function startBridged(server, { near, far }) {
  const behind = await server.start(far)
  const { url, command, args, env } = behind.target
  const target = url ?? { command, args, ...(env && { env }), stderr: 'ignore' }
  try {
    const script = new URL('../bridge/serve.mjs', import.meta.url)
    const front = await ownScript(script, JSON.stringify(target))(near.replace('-2026', ''))
    const close = async () => {
      await front.close()
      await behind.close()
    }
    const log = () => [front.log?.(), behind.log?.()].filter(Boolean).join('\n')
    return { target: front.target, scratch: behind.scratch, close, log }
  } catch (error) {
    await behind.close()
    throw error
  }
}
