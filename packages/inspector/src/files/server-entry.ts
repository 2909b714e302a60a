import { literal } from '@tenon/replay/json'
import type { JsonObject } from '@tenon/sdk/client'
import type { ServerSpec } from '../protocol.ts'
import { replaceArgumentSecrets, replaceQuerySecrets, withoutUserinfo } from '../url-secrets.ts'

/** The entry of a server in a file. Secrets are not written: variables of the environment take their place. */
export function serverEntry(spec: ServerSpec): JsonObject {
  if (spec.kind === 'session') return { config: literal(spec.name) }
  if (spec.kind === 'command') {
    const { command, args = [], env = {}, cwd } = spec
    const variables = Object.keys(env).map((name) => [name, `\${env.${name}}`])
    return {
      command: literal(command),
      ...(args.length > 0 && { args: replaceArgumentSecrets(args.map(literal), inEnvironment) }),
      ...(variables.length > 0 && { env: Object.fromEntries(variables) }),
      ...(cwd !== undefined && { cwd: literal(cwd) }),
    }
  }
  const headers = Object.keys(spec.headers ?? {}).map((name) => [name, inEnvironment(name)])
  const url = replaceQuerySecrets(literal(withoutUserinfo(spec.url)), inEnvironment)
  return { url, ...(headers.length > 0 && { headers: Object.fromEntries(headers) }) }
}

const inEnvironment = (name: string): string => `\${env.${variableFor(name)}}`

const variableFor = (header: string): string => header.toUpperCase().replace(/\W+/g, '_')
