import { fileURLToPath } from 'node:url'
import { type Catalog, readCatalog } from '../catalog.ts'
import { type FolderEvents, FolderWatch } from './watch-folders.ts'

/** Reads the folders, again with each call. */
export function readFolders(
  folders: readonly (string | URL)[],
  prefix: readonly string[],
  maxTotalBytes: number,
): () => Promise<Catalog> {
  const paths = folders.map((folder) => (folder instanceof URL ? fileURLToPath(folder) : folder))
  return () => readCatalog({ folders: paths, prefix, maxTotalBytes })
}

export const openWatch = (events: FolderEvents): FolderWatch => new FolderWatch(events)
