import type { ConnectOptions, ProcessTarget } from '@tenon/sdk/client'
import { ConfigError } from './problem.ts'
import type { ResolvedEntry } from './variables/expand.ts'

/** The arguments of `connect`: `connect(target, options)`. */
export interface ConnectArguments {
  target: ProcessTarget | string
  options: ConnectOptions
}

/**
 * The target and options of an entry. A program gets the variables of its entry and those that every host passes on, with
 * those of proxies, certificates and registries: `inheritEnv` of the target says otherwise. Throws a `ConfigError` for
 * unsupported addresses.
 */
export function toTarget(entry: ResolvedEntry): ConnectArguments {
  const { transport, timeoutMs } = entry
  const options: ConnectOptions = timeoutMs === undefined ? {} : { timeoutMs }
  if (transport.kind === 'stdio') {
    const { command, args, env, cwd } = transport
    return { target: { command, args, env, inheritEnv: 'network', ...(cwd !== undefined && { cwd }) }, options }
  }
  const headers = Object.keys(transport.headers).length === 0 ? {} : { headers: transport.headers }
  const { url, agent } = addressOf(transport.url, entry)
  return { target: url, options: { ...options, ...headers, ...(agent && { agent }) } }
}

/** Sockets and pipes are written as `unix:///path/to.sock#/path` and `pipe:///pipe/name#/path`. */
function addressOf(url: string, entry: ResolvedEntry): { url: string; agent?: object } {
  if (/^(?:https?|wss?):/i.test(url) && URL.canParse(url)) return { url }
  const [, scheme, socketPath, path = '/'] = /^(unix|pipe):\/\/([^#]+)(?:#(.*))?$/i.exec(url) ?? []
  if (socketPath === undefined) {
    const problem = { code: 'unsupported', message: 'expected a URL with http, https, ws, wss, unix or pipe' } as const
    const { file } = entry.source
    throw new ConfigError({ ...problem, path: [...entry.source.path, 'url'], ...(file !== undefined && { file }) })
  }
  const { Agent } = process.getBuiltinModule('node:http')
  const place = scheme === 'pipe' ? `\\\\.${socketPath.replaceAll('/', '\\')}` : socketPath
  return { url: `http://localhost${path}`, agent: new Agent({ socketPath: place, keepAlive: true } as object) }
}
