import { type Client, type ConnectOptions, connect, type Target } from '@tenon/sdk/client'
import type { ServerSpec } from '../types.ts'

/** Starts or reaches a server as a file says; names of a configuration are for others to find. */
export function connectServer(server: ServerSpec, options: ConnectOptions): Promise<Client> {
  return connect(targetOf(server), { ...options, ...(server.headers && { headers: server.headers }) })
}

function targetOf({ name, command, args, env, cwd, url, config }: ServerSpec): Target {
  if (url !== undefined) return url
  if (command !== undefined) {
    return {
      command,
      inheritEnv: 'network',
      ...(args && { args }),
      ...(env && { env }),
      ...(cwd !== undefined && { cwd }),
    }
  }
  const what =
    config === undefined ? 'the file names no server' : `${JSON.stringify(config)} is a name of a configuration`
  throw new Error(`Server ${JSON.stringify(name)}: ${what}, and nothing was given that could connect to it`)
}
