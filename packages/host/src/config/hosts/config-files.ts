import { access, readdir } from 'node:fs/promises'
import type { HostId, Scope } from '../model.ts'
import { type Folders, foldersOf, pathsOf, type Whereabouts } from './folders.ts'
import { hosts } from './hosts.ts'

/** A file in which a host keeps servers. */
export interface ConfigFile {
  host: HostId
  title: string
  scope: Scope
  file: string
  /** The project's folder, where the file is part of a project. */
  folder?: string
}

/**
 * Every place where hosts look for files, whether or not there is one: a pure function of where one is. `folders` are
 * those of the project, the nearest first.
 */
export function configPlaces(where: Whereabouts = {}, folders?: readonly string[]): ConfigFile[] {
  const at = foldersOf(where)
  const projects = folders ?? [at.cwd]
  return hosts.flatMap((host) => {
    const { id, title } = host
    const place = (scope: Scope, file: string, folder?: string): ConfigFile => ({
      ...{ host: id, title, scope, file },
      ...(folder !== undefined && { folder }),
    })
    return [
      ...present(host.managed?.(at)).map((file) => place('managed', file)),
      ...projects.flatMap((folder) =>
        (host.project ?? []).map((path) => place('project', at.join(folder, path), folder)),
      ),
      ...present(host.user?.(at)).map((file) => place('user', file)),
    ]
  })
}

/** The files that exist. Projects are looked for from `cwd` up to the folder with `.git`, if there is one. */
export async function findConfigFiles(where: Whereabouts = {}): Promise<ConfigFile[]> {
  const at = foldersOf(where)
  const places = configPlaces(where, await projectFolders(at))
  const found = await Promise.all(places.map(existing))
  // The user's file may also lie in a project, such as a home folder under version control.
  const unique = new Map(found.flat().map((place) => [`${place.host} ${place.file}`, place]))
  return [...unique.values()]
}

/** The folders of the project around a folder, the nearest first. */
export async function projectFolders({ cwd, home, platform, join }: Folders): Promise<string[]> {
  const { dirname, resolve } = pathsOf(platform)
  const folders: string[] = []
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    folders.push(folder)
    if (await exists(join(folder, '.git'))) return folders
    // Outside of version control only the folder itself counts: those above it may belong to another user.
    if (folder === dirname(folder) || folder === home) return folders.slice(0, 1)
  }
}

const present = (files: readonly (string | undefined)[] = []): string[] => files.filter((file) => file !== undefined)

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT' && error.code !== 'ENOTDIR',
  )

async function existing(place: ConfigFile): Promise<ConfigFile[]> {
  if (!/[\\/]$/.test(place.file)) return (await exists(place.file)) ? [place] : []
  const names = await readdir(place.file).catch((): string[] => [])
  return names
    .filter((name) => /\.(?:ya?ml|json)$/.test(name))
    .sort()
    .slice(0, maxFiles)
    .map((name) => ({ ...place, file: place.file + name }))
}

/** How many files of one folder are read. */
const maxFiles = 100
