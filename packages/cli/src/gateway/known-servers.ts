import type { GatewayConfig, UpstreamConfig } from '@tenon/gateway'
import type { CommandCall } from '../command.ts'
import { CommandFailure, ExitCode } from '../exit.ts'
import { readServers } from '../server/configured.ts'
import { expandQuietly } from '../server/inputs.ts'
import { say } from '../terminal/text.ts'
import type { gatewayOptions } from './options.ts'

type Call = CommandCall<typeof gatewayOptions>

/** The servers that the hosts on this machine know, as upstreams. Those that cannot be used are named, and left out. */
export async function knownServers(call: Call): Promise<GatewayConfig> {
  const { toTarget } = await import('@tenon/host/config')
  const { terminal, options } = call
  const upstreams = new Map<string, UpstreamConfig>()
  const leaveOut = (name: string, why: string): void =>
    terminal.note(say`${terminal.notes.yellow('left out:')} ${name}: ${why}`)
  for (const entry of (await readServers(options.config, terminal)).entries) {
    if (entry.disabled || entry.shadowedBy !== undefined) continue
    const name = upstreamName(entry.name)
    const { unresolved, ...resolved } = await expandQuietly(call, entry)
    if (name === '') leaveOut(entry.name, 'its name has neither letters nor digits')
    else if (upstreams.has(name)) leaveOut(entry.name, `another server is called ${name} already`)
    else if (unresolved.length > 0) leaveOut(entry.name, `${unresolved[0]!.text} has no value: ${unresolved[0]!.why}`)
    else {
      const { target, options: connect } = toTarget({ ...resolved, unresolved })
      upstreams.set(name, { target, connect })
    }
  }
  if (upstreams.size === 0) throw noServers()
  return { upstreams: Object.fromEntries(upstreams) }
}

/** The name as upstreams may have it: it begins the names of tools. */
const upstreamName = (name: string): string =>
  name
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/_{2,}/g, '_')
    .replace(/^[_-]+|[_-]+$/g, '')
    .slice(0, 64)

const noServers = (): CommandFailure =>
  new CommandFailure(
    ExitCode.Usage,
    'no_servers',
    'No server is configured on this machine',
    'Add one with tenon add, or name a file: tenon gateway gateway.yaml',
  )
