// Runs a TypeScript program from its sources: Node 20 cannot, so it is bundled first, packages left out.
import { mkdirSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const cache = fileURLToPath(new URL('../node_modules/.cache/tenon/', import.meta.url))

/** Imports the module at a URL, and exits with the code that its `main` returns for the arguments of this process. */
export async function runSource(entry) {
  mkdirSync(cache, { recursive: true })
  const outfile = `${cache}${process.pid}.mjs`
  await build({
    entryPoints: [fileURLToPath(entry)],
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    target: 'node20',
    format: 'esm',
    sourcemap: 'inline',
    logLevel: 'warning',
    plugins: [
      { name: 'import-meta-url', setup: keepUrls },
      { name: 'own-sources', setup: takeOwnSources },
    ],
  })
  process.setSourceMapsEnabled(true)
  const { main } = await import(pathToFileURL(outfile).href)
  rmSync(outfile, { force: true })
  process.exitCode = await main(process.argv.slice(2))
}

/** Bundles our own packages from their sources, so that nothing has to be built and every module exists once. */
function takeOwnSources(builder) {
  builder.onResolve({ filter: /^@tenon\// }, async ({ path }) => {
    const [, name, ...rest] = path.split('/')
    const folder = new URL(`../packages/${name}/`, import.meta.url)
    const { exports } = JSON.parse(await readFile(new URL('package.json', folder), 'utf8'))
    const source = exports[['.', ...rest].join('/')]?.['tenon-source']
    return source === undefined ? undefined : { path: fileURLToPath(new URL(source, folder)) }
  })
}

/** In a bundle `import.meta.url` would be that of the bundle; files are looked up beside the sources. */
function keepUrls(builder) {
  builder.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
    const source = await readFile(path, 'utf8')
    const url = JSON.stringify(pathToFileURL(path).href)
    return { contents: source.replaceAll('import.meta.url', url), loader: 'ts' }
  })
}
