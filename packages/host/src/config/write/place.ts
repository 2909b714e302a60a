import { access } from 'node:fs/promises'
import { type ConfigFile, configPlaces, projectFolders } from '../hosts/config-files.ts'
import { foldersOf, type Whereabouts } from '../hosts/folders.ts'
import { hostOf } from '../hosts/hosts.ts'
import type { HostId } from '../model.ts'
import { ConfigError } from '../problem.ts'

/** Whose file is written: the user's own, or the one of the project around `cwd`. */
export type WritableScope = 'user' | 'project'

/**
 * The file in which a host keeps the servers of a scope: the first that exists, or the one that the host would make.
 * Throws a `ConfigError` if the host has no such file.
 */
export async function placeFor(host: HostId, scope: WritableScope, where: Whereabouts = {}): Promise<ConfigFile> {
  const [nearest] = projectFolders(foldersOf(where))
  const places = configPlaces(where, nearest === undefined ? undefined : [nearest])
  const own = places.filter((place) => place.host === host && place.scope === scope && !/[\\/]$/.test(place.file))
  const existing = await Promise.all(own.map(({ file }) => exists(file)))
  const chosen = own.find((_, index) => existing[index]) ?? own[0]
  if (chosen !== undefined) return chosen
  const { title } = hostOf(host)
  const whose = scope === 'user' ? 'of the user' : 'of a project'
  throw new ConfigError({ code: 'unsupported', message: `${title} has no file ${whose} that can be written` })
}

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  )
