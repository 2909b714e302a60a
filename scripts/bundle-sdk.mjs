// Bundles @tenon/sdk for users without a bundler: a file per subpath, a file per lazily loaded module, and a few shared
// files, because opening a file costs more than most modules hold. Bundlers read the modules that tsc wrote, and drop
// the unused ones.
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundlePackage, modulesBelow } from './bundling.mjs'

const root = fileURLToPath(new URL('../packages/sdk/', import.meta.url))
const sources = join(root, 'src')
const below = modulesBelow()

const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const subpaths = Object.values(exports)
  .flatMap(({ 'tenon-source': source }) => source ?? [])
  .map((source) => source.slice('./src/'.length, -'.ts'.length))

const large = ['server', 'client', 'http']
const light = ['stdio', 'socket', 'websocket', 'auth', 'auth-server', 'apps-host', 'apps-view']

/**
 * The shared files from the bottom up. A module goes into the first layer that takes it, else into a file of the
 * bundler's choice. A layer takes the modules that at least one entry of each list needs.
 */
const layers = [
  {
    name: 'core',
    takes: [
      [['client'], ['server']],
      [['client', 'http-client/open-http'], ['http']],
      // A light subpath is usually imported together with a large one.
      [large, light],
      [['stdio'], ['socket']],
      // Reading and guarding requests on Node listeners: too little for a file of its own.
      [['node'], ['websocket'], ['auth']],
    ],
  },
  { name: 'json-schema', takes: [[['client/calls/schema-engine'], ['server']]] },
  { name: 'server-core', takes: [[['server']]] },
  { name: 'client-core', takes: [[['client']]] },
  { name: 'http-core', takes: [[['http']]] },
]

const layerOf = (id, graph) =>
  layers.find(({ takes }) =>
    takes.some((lists) =>
      lists.every((names) => names.some((name) => below(join(sources, `${name}.ts`), graph).has(id))),
    ),
  )

/** Lower layers have priority, because a group includes the imports of its modules. */
const groups = layers.map((layer, index) => ({
  name: (id, graph) => (layerOf(id, graph) === layer ? layer.name : null),
  debugName: layer.name,
  priority: layers.length - index,
}))

await bundlePackage(root, subpaths, {
  platform: 'neutral',
  keeps: /^modules/,
  chunkFileNames: ({ isDynamicEntry, facadeModuleId }) =>
    isDynamicEntry ? relative(sources, facadeModuleId).replace(/\.ts$/, '.mjs') : 'shared/[name].mjs',
  codeSplitting: { groups },
})
