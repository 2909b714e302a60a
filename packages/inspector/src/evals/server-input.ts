import type { ServerInput } from '@tenon/host'
import type { ServerTarget } from '@tenon/sdk/client'
import type { Beside } from '../servers/managed-server.ts'

/** A server of the workbench as a host takes it, over a connection of its own. */
export function serverInput({ target, options }: Beside): ServerInput {
  // The host asks and answers by itself, and ends its connections.
  const { auth, headers, roots = [], signal: _, elicit: __, sample: ___, ...connect } = options
  const settings = { roots, connect, ...(auth && { auth }) }
  if (typeof target === 'string') return { url: target, ...(headers && { headers }), ...settings }
  if ('command' in target) {
    const { command, args = [], env, cwd } = target
    return { command, args, ...(env && { env }), ...(cwd !== undefined && { cwd: String(cwd) }), ...settings }
  }
  return { server: target as ServerTarget, ...settings }
}
