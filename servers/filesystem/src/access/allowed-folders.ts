import { stat } from 'node:fs/promises'
import { sep } from 'node:path'
import { realPathOf } from './real-path.ts'

export interface AllowedFolder {
  /** As it was given, absolute. */
  readonly given: string
  /** Without symbolic links, found once: a link that is changed later leads out of it. */
  readonly real: string
}

/** The folders that may be used. */
export class AllowedFolders {
  readonly list: readonly AllowedFolder[]

  constructor(list: readonly AllowedFolder[]) {
    this.list = list
  }

  /** True for a real path that is one of the folders, or lies below one. */
  contains(real: string): boolean {
    return this.list.some((folder) => isWithin(real, folder.real))
  }

  /** True for a path that claims to lie in a folder; the way there may still lead elsewhere. */
  containsText(path: string): boolean {
    return this.list.some((folder) => isWithin(path, folder.real) || isWithin(path, folder.given))
  }

  isFolder(real: string): boolean {
    return this.list.some((folder) => folder.real === real)
  }

  /** All paths by which the folders are known. */
  get paths(): string[] {
    return [...new Set(this.list.flatMap(({ given, real }) => [given, real]))]
  }
}

export const isWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)

/** Finds the real paths of folders; those that are no folders are reported and left out. */
export async function findFolders(
  paths: readonly string[],
  skipped: (problem: string) => void,
): Promise<AllowedFolder[]> {
  const found: AllowedFolder[] = []
  for (const given of paths) {
    try {
      const real = await realPathOf(given)
      if ((await stat(real)).isDirectory()) found.push({ given, real })
      else skipped(`${given} is not a folder`)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      skipped(code === 'ENOENT' ? `the folder ${given} does not exist` : `cannot use the folder ${given}: ${code}`)
    }
  }
  return found
}
