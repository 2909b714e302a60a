// A minimal program, bundled, minified and compressed.
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { drive } from '../lib/driver.mjs'

await drive(async ({ adapter }) => ({
  async sample() {
    const options = { bundle: true, minify: true, write: false, format: 'esm', platform: 'node', target: 'node20' }
    const { outputFiles } = await build({ ...options, entryPoints: [adapter], logLevel: 'error' })
    return { value: gzipSync(outputFiles[0].contents, { level: 9 }).length / 1000 }
  },
  close() {},
}))
