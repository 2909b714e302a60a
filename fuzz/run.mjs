#!/usr/bin/env node
// Node 20 does not run TypeScript: the sources are bundled as they are, so that what is fuzzed is what is written.
import { mkdirSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const outdir = fileURLToPath(new URL('../node_modules/.cache/tenon-fuzz/', import.meta.url))
mkdirSync(outdir, { recursive: true })
const outfile = `${outdir}main-${process.pid}.mjs`

await build({
  entryPoints: [fileURLToPath(new URL('main.ts', import.meta.url))],
  outfile,
  bundle: true,
  packages: 'external',
  platform: 'node',
  target: 'node20',
  format: 'esm',
  sourcemap: 'inline',
  logLevel: 'warning',
  // Files beside the sources are found from where the sources are.
  plugins: [{ name: 'import-meta-url', setup: keepUrls }],
})
process.setSourceMapsEnabled(true)
const { main } = await import(pathToFileURL(outfile).href)
process.exitCode = await main(process.argv.slice(2), outfile)

/** In a bundle `import.meta.url` is that of the bundle, and here it has to be that of the source. */
function keepUrls(builder) {
  builder.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
    const { readFile } = await import('node:fs/promises')
    const source = await readFile(path, 'utf8')
    const url = JSON.stringify(pathToFileURL(path).href)
    return { contents: source.replaceAll('import.meta.url', url), loader: 'ts' }
  })
}
