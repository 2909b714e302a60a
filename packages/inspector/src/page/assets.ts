import { readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const types: ReadonlyMap<string, string> = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
])

/** A file of the page. */
export interface Asset {
  type: string
  body: Buffer
}

/** The files of the built page by their paths. All that can be asked for is in this map: no path leads anywhere else. */
export function loadAssets(): ReadonlyMap<string, Asset> {
  const folder = fileURLToPath(new URL('../../dist/ui/', import.meta.url))
  const assets = new Map<string, Asset>()
  for (const file of filesBelow(folder)) {
    const type = types.get(extname(file))
    if (type === undefined) continue
    assets.set(`/${relative(folder, file).replaceAll(sep, '/')}`, { type, body: readFileSync(file) })
  }
  return assets
}

function filesBelow(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
  } catch {
    return []
  }
}
