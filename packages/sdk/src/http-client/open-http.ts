import { McpError } from '../errors.ts'
import type { Channel } from '../jsonrpc/channel.ts'
import { dispatcherEngine } from './engines/dispatcher-engine.ts'
import type { Engine } from './engines/engine.ts'
import { fetchEngine } from './engines/fetch-engine.ts'
import { nodeEngine } from './engines/node-engine.ts'
import { watchedEngine } from './engines/watched-engine.ts'
import { HttpChannel } from './http-channel.ts'
import { type HttpClientOptions, httpDefaults } from './http-options.ts'
import { HttpWire } from './http-wire.ts'

/** Makes a channel to a server over HTTP. Nothing is sent before the first message. */
export function openHttp(
  target: string | URL,
  options: HttpClientOptions & { warn?: (message: string) => void } = {},
): Channel {
  const url = httpUrl(target)
  const limits = { ...httpDefaults, ...options.httpLimits }
  const { headers, auth, onStream, onHttp, warn = () => {} } = options
  const engine = engineFor(url, options, limits.connectTimeoutMs)
  const wire = new HttpWire(url, onHttp === undefined ? engine : watchedEngine(engine, onHttp, warn), {
    limits,
    ...(headers && { headers }),
    ...(auth && { auth }),
  })
  return new HttpChannel(wire, { limits, warn, ...(onStream && { onStream }) })
}

function engineFor(url: URL, { fetch, agent, dispatcher }: HttpClientOptions, connectTimeoutMs: number): Engine {
  if (fetch !== undefined) return fetchEngine(fetch)
  if (dispatcher !== undefined) return dispatcherEngine(dispatcher)
  return nodeEngine(url.protocol === 'https:', { connectTimeoutMs, ...(agent && { agent }) }) ?? fetchEngine()
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
