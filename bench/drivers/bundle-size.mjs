// A minimal program, bundled, minified and compressed: the bytes it loads for its work, and all that it could ever
// load. The targets are for the first: the rest is in files of its own, loaded only when used.
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { drive } from '../lib/driver.mjs'

const options = { bundle: true, splitting: true, minify: true, format: 'esm', platform: 'node', target: 'node20' }

await drive(async ({ adapter, settings }) => ({
  async sample({ figure }) {
    const { outputFiles, metafile } = await build({
      ...options,
      entryPoints: [adapter],
      external: settings.external ?? [],
      outdir: 'out',
      write: false,
      metafile: true,
      logLevel: 'error',
    })
    const purpose = new RegExp(figure === 'everything' ? '' : settings.loads)
    const loaded = loadedFiles(metafile.outputs, purpose)
    const contents = outputFiles.filter(({ path }) => loaded.some((name) => path.endsWith(name)))
    return { value: gzipSync(Buffer.concat(contents.map((file) => file.contents)), { level: 9 }).length / 1000 }
  },
  close() {},
}))

/** The entry, the modules that it loads later for this purpose, and everything that these import. */
function loadedFiles(outputs, purpose) {
  const loaded = new Set()
  const add = (name) => {
    if (loaded.has(name)) return
    loaded.add(name)
    for (const { path, kind } of outputs[name].imports) {
      if (outputs[path] && (kind !== 'dynamic-import' || purpose.test(outputs[path].entryPoint))) add(path)
    }
  }
  const [entry] = Object.keys(outputs).filter((name) => outputs[name].entryPoint?.includes('bundle-'))
  add(entry)
  return [...loaded]
}
