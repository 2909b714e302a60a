// Bundles with the installed esbuild.
import { build } from 'esbuild'
import { refuseNodeModules } from './refuse-node-modules.mjs'

const shared = { bundle: true, outdir: 'bundled', logLevel: 'error' }
const entryPoints = ['story.ts', 'serve.ts']
await build({ ...shared, entryPoints, platform: 'node', format: 'esm', outExtension: { '.js': '.mjs' } })
await build({ ...shared, entryPoints, platform: 'node', format: 'cjs', outExtension: { '.js': '.cjs' } })
const { outputFiles } = await build({
  ...{ ...shared, outdir: 'page' },
  entryPoints: ['page.ts'],
  platform: 'browser',
  format: 'esm',
  splitting: true,
  write: false,
})
refuseNodeModules(outputFiles.map(({ text }) => text))
