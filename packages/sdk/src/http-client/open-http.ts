import { McpError } from '../errors.ts'
import type { Channel } from '../jsonrpc/channel.ts'
import type { Engine } from './engines/engine.ts'
import { nodeEngine } from './engines/node-engine.ts'
import type { watchedEngine } from './engines/watched-engine.ts'
import { HttpChannel } from './http-channel.ts'
import { type HttpClientOptions, httpDefaults } from './http-options.ts'
import { HttpWire } from './http-wire.ts'

/** Makes a channel to a server over HTTP. Nothing is sent before the first message. */
export async function openHttp(
  target: string | URL,
  options: HttpClientOptions & { warn?: (message: string) => void } = {},
): Promise<Channel> {
  const url = httpUrl(target)
  const limits = { ...httpDefaults, ...options.httpLimits }
  const { headers, auth, onStream, onHttp, warn = () => {} } = options
  const engine = await engineFor(url, options, limits.connectTimeoutMs)
  const wire = new HttpWire(url, onHttp === undefined ? engine : await watched(engine, onHttp, warn), {
    limits,
    ...(headers && { headers }),
    ...(auth && { auth }),
  })
  return new HttpChannel(wire, { limits, warn, ...(onStream && { onStream }) })
}

/** Only the engine that is used is loaded, besides that of Node. */
async function engineFor(
  url: URL,
  { fetch, agent, dispatcher }: HttpClientOptions,
  connectTimeoutMs: number,
): Promise<Engine> {
  if (fetch === undefined && dispatcher !== undefined) {
    return (await import('./engines/dispatcher-engine.ts')).dispatcherEngine(dispatcher)
  }
  const isSecure = url.protocol === 'https:'
  const own = fetch === undefined ? nodeEngine(isSecure, { connectTimeoutMs, ...(agent && { agent }) }) : undefined
  if (own !== undefined) return own
  return (await import('./engines/fetch-engine.ts')).fetchEngine(fetch)
}

async function watched(...given: Parameters<typeof watchedEngine>): Promise<Engine> {
  return (await import('./engines/watched-engine.ts')).watchedEngine(...given)
}

function httpUrl(target: string | URL): URL {
  const url = new URL(target)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new McpError('invalid_argument', `target: expected an http or https URL, got ${url.protocol}`)
  }
  // Browsers refuse such a URL, and messages would show the password.
  if (url.username !== '' || url.password !== '') {
    throw new McpError('invalid_argument', 'target: a URL must not contain credentials; give `headers` instead')
  }
  url.hash = ''
  return url
}
