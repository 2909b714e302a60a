import { existsSync } from 'node:fs'

/** The folder of this package: the nearest one with a manifest, because the build moves modules about. */
export const packageFolder: URL = folderAround(new URL('./', import.meta.url))

function folderAround(folder: URL): URL {
  return existsSync(new URL('package.json', folder)) ? folder : folderAround(new URL('../', folder))
}
