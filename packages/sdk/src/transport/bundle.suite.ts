import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterAll } from 'vitest'

/** The path of a script in `fixtures`. */
export const fixture = (name: string): string => fileURLToPath(new URL(`./fixtures/${name}`, import.meta.url))

/** A module of this folder as JavaScript that a child process can import; removed after the tests of the file. */
export async function bundle(name: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const outfile = join(folder, name.replace(/\.ts$/, '.mjs'))
  await build({
    entryPoints: [fileURLToPath(new URL(`./${name}`, import.meta.url))],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    external: ['cross-spawn'],
    logLevel: 'error',
  })
  return outfile
}
