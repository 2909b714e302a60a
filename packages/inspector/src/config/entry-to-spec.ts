import type { ServerEntry } from '@tenon/host/config'
import type { ServerSpec, UrlSpec } from '../protocol.ts'

const ifAny = <Value extends object>(name: string, value: Value): { [name: string]: Value } =>
  Object.keys(value).length === 0 ? {} : { [name]: value }

/** An entry of a config file, as the workbench writes servers down. */
export function entryToSpec({ name, transport, auth, timeoutMs }: ServerEntry): ServerSpec {
  const shared = { name, ...(timeoutMs !== undefined && { timeoutMs }) }
  if (transport.kind === 'stdio') {
    const { command, args, env, cwd } = transport
    return { ...shared, kind: 'command', command, args, ...ifAny('env', env), ...(cwd !== undefined && { cwd }) }
  }
  const spec: UrlSpec = { ...shared, kind: 'url', url: transport.url, ...ifAny('headers', transport.headers) }
  if (auth === undefined) return spec
  const { clientId, clientSecret, scopes } = auth
  const oauth = {
    ...(clientId !== undefined && { clientId }),
    ...(clientSecret !== undefined && { clientSecret }),
    ...(scopes !== undefined && { scopes }),
  }
  return { ...spec, ...ifAny('oauth', oauth) }
}
