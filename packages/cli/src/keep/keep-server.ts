import { processEnv } from '@tenon/sdk/client'
import type { CommandCall } from '../command.ts'
import { usage } from '../exit.ts'
import { hasCredentials } from '../login/stored-auth.ts'
import type { connectionOptions } from '../server/options.ts'
import { type ResolvedTarget, resolveTarget } from '../server/target.ts'
import type { Surroundings } from '../terminal/terminal.ts'
import type { KeeperControl } from './control.ts'
import type { KeepRequest } from './keeper.ts'
import { type ServerIdentity, socketOf } from './server-identity.ts'

type Call = CommandCall<typeof connectionOptions>

/** Has a server kept by the keeper. */
export async function keepServer(
  call: Call,
  name: string,
  identity: ServerIdentity,
  control: KeeperControl,
): Promise<void> {
  const resolved = await resolveTarget(call, [name])
  const request = await requestFor(name, identity, resolved, call.terminal.surroundings)
  await control.up({ ...request, hasOwnOptions: changesConnection(call.options) })
}

/** Whether options that `tenon up` has change the connection beyond the entry of the server. */
function changesConnection(options: Call['options']): boolean {
  const { header, ca, insecure, env, input, cwd } = options
  const lists = [header, ca, env, options['env-file'], input]
  return (
    insecure || lists.some((list) => list.length > 0) || cwd !== undefined || options['max-message-bytes'] !== undefined
  )
}

async function requestFor(
  name: string,
  identity: ServerIdentity,
  { target, options, trust, url }: ResolvedTarget,
  surroundings: Surroundings,
): Promise<Omit<KeepRequest, 'hasOwnOptions'>> {
  if (options.agent !== undefined && trust === undefined) throw usage(`${name} is at a socket, and needs no keeping`)
  const { headers, timeoutMs, httpLimits } = options
  return {
    name,
    socket: socketOf(identity),
    target: typeof target === 'string' ? target : await completeTarget(target, surroundings),
    options: {
      ...(headers && { headers }),
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(httpLimits && { httpLimits }),
    },
    ...(trust && { trust }),
    ...(url && !hasCredentials(headers) && { url: url.href }),
  }
}

/** The target with all variables that it gets here: the keeper has the ones of the command that started it. */
async function completeTarget(
  target: Exclude<ResolvedTarget['target'], string>,
  { env, cwd }: Surroundings,
): Promise<Exclude<ResolvedTarget['target'], string>> {
  const inheritEnv = target.inheritEnv ?? 'network'
  return { ...target, cwd: target.cwd ?? cwd, inheritEnv: false, env: await processEnv({ ...target, inheritEnv }, env) }
}
