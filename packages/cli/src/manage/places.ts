import { resolve } from 'node:path'
import type { ConfigFile, HostId } from '@tenon/host/config'
import { whereaboutsOf } from '../server/whereabouts.ts'
import type { Surroundings } from '../terminal/terminal.ts'

type Scope = 'user' | 'project'

/** The files of hosts that a server is written to. Without a scope it is the user's file, where a host has one. */
export async function placesFor(
  hosts: readonly HostId[],
  scope: string | undefined,
  surroundings: Surroundings,
): Promise<ConfigFile[]> {
  return await Promise.all(hosts.map((host) => place(host, scope as Scope | undefined, surroundings)))
}

async function place(host: HostId, scope: Scope | undefined, surroundings: Surroundings): Promise<ConfigFile> {
  const { placeFor } = await import('@tenon/host/config/write')
  const where = whereaboutsOf(surroundings)
  if (scope !== undefined) return await placeFor(host, scope, where)
  return await placeFor(host, 'user', where).catch(() => placeFor(host, 'project', where))
}

/** The file of `--config`, with the host that writes files like it. */
export async function placeOfFile(file: string, { cwd }: Surroundings): Promise<ConfigFile> {
  const { knownHosts, readConfig } = await import('@tenon/host/config')
  const path = resolve(cwd, file)
  const { host } = await readConfig(path)
  const title = knownHosts.find(({ id }) => id === host)?.title ?? host
  return { host, title, scope: 'user', file: path }
}
