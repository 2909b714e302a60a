// A minimal program, bundled, minified and compressed: what is loaded at the start, and what is loaded for its purpose.
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { drive } from '../lib/driver.mjs'

const options = { bundle: true, splitting: true, minify: true, format: 'esm', platform: 'node', target: 'node20' }

await drive(async ({ adapter, settings }) => ({
  async sample() {
    const { outputFiles, metafile } = await build({
      ...options,
      entryPoints: [adapter],
      outdir: 'out',
      write: false,
      metafile: true,
      logLevel: 'error',
    })
    const loaded = loadedFiles(metafile.outputs, new RegExp(settings.loads))
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
