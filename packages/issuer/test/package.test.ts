/** The names, the imports and the size of the built package. */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build, type Metafile } from 'esbuild'
import { expect, test } from 'vitest'

const root = new URL('../', import.meta.url)
const manifest = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'))

/** The modules that an import of the package loads at once, without those of `import()`. */
function loadedAtOnce({ outputs }: Metafile, entry: string): { files: string[]; external: string[] } {
  const files = new Set([entry])
  const external = new Set<string>()
  for (const file of files) {
    for (const imported of outputs[file]!.imports) {
      if (imported.kind === 'dynamic-import') continue
      if (imported.external) external.add(imported.path)
      else files.add(imported.path)
    }
  }
  return { files: [...files], external: [...external].sort() }
}

const bundle = (options: object) =>
  build({
    absWorkingDir: fileURLToPath(root),
    entryPoints: ['dist/index.js'],
    bundle: true,
    minify: true,
    splitting: true,
    metafile: true,
    write: false,
    outdir: 'out',
    format: 'esm',
    ...options,
  })

test('the exported names are these', async () => {
  const names = Object.keys(await import(new URL('dist/index.js', root).href))
  expect(names.sort()).toEqual(['agree', 'issuer', 'serveIssuer'])
})

test('an import loads jose and two subpaths of the SDK, and is small', async () => {
  const { metafile, outputFiles } = await bundle({ platform: 'node', packages: 'external' })
  const { files, external } = loadedAtOnce(metafile, 'out/index.js')
  expect(external).toEqual(['@tenon/sdk/auth/server', '@tenon/sdk/display', 'jose'])
  const loaded = outputFiles.filter(({ path }) => files.some((file) => path.endsWith(file)))
  const bytes = gzipSync(Buffer.concat(loaded.map(({ contents }) => contents))).length
  expect(bytes, `${bytes} bytes`).toBeLessThanOrEqual(22_300)
  expect(bytes, `${bytes} bytes, so the bound can come down`).toBeGreaterThan(16_300)
})

test('it bundles for workers and browsers as it is', async () => {
  const { errors, outputFiles } = await bundle({ platform: 'browser' })
  expect(errors).toEqual([])
  for (const { text } of outputFiles) expect(text).not.toMatch(/from\s*["']node:|import\(["']node:/)
})

test('the sources import public subpaths and declared dependencies only', () => {
  const files = readdirSync(new URL('src', root), { recursive: true, encoding: 'utf8' })
  const sources = files.filter((file) => file.endsWith('.ts') && !/\.(?:test|suite)\.ts$/.test(file))
  expect(sources.length).toBeGreaterThan(40)
  const allowed = /^(?:node:|\.{1,2}\/(?!.*sdk\/))/
  const dependencies = Object.keys(manifest.dependencies)
  for (const file of sources) {
    const text = readFileSync(new URL(`src/${file}`, root), 'utf8')
    const imported = [...text.matchAll(/(?:from |import\()'([^']+)'/g)].map(([, name]) => name!)
    const foreign = imported.filter(
      (name) => !allowed.test(name) && !dependencies.some((each) => name.startsWith(each)),
    )
    expect(foreign, file).toEqual([])
  }
})
