import { readdirSync, statSync } from 'node:fs'
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
  const places = configPlaces(where, projectFolders(at))
  const found = places.map(existing)
  // The user's file may also lie in a project, such as a home folder under version control.
  const unique = new Map(found.flat().map((place) => [`${place.host} ${place.file}`, place]))
  return [...unique.values()]
}

/** The folders of the project around a folder, the nearest first. */
export function projectFolders({ cwd, home, platform, join }: Folders): string[] {
  const { dirname, resolve } = pathsOf(platform)
  const folders: string[] = []
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    folders.push(folder)
    if (exists(join(folder, '.git'))) return folders
    // Outside of version control only the folder itself counts: those above it may belong to another user.
    if (folder === dirname(folder) || folder === home) return folders.slice(0, 1)
  }
}

const present = (files: readonly (string | undefined)[] = []): string[] => files.filter((file) => file !== undefined)

/** Whether a file is there, even if it cannot be read. A hundred promises take longer than a hundred looks. */
function exists(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false }) !== undefined
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOTDIR'
  }
}

function existing(place: ConfigFile): ConfigFile[] {
  if (!/[\\/]$/.test(place.file)) return exists(place.file) ? [place] : []
  return namesIn(place.file)
    .filter((name) => /\.(?:ya?ml|json)$/.test(name))
    .sort()
    .slice(0, maxFiles)
    .map((name) => ({ ...place, file: place.file + name }))
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** How many files of one folder are read. */
const maxFiles = 100
