import { readFileSync } from 'node:fs'

/**
 * The version of the package that a module belongs to.
 *
 * @param module - `import.meta.url` of a file in `src` or `dist` of the package.
 */
export function versionOf(module: string): string {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', module), 'utf8')) as { version: string }
  return manifest.version
}
