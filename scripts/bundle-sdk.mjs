// Bundles @tenon/sdk for users without a bundler: a file per subpath, a file per lazily loaded module, and a few shared
// files, because opening a file costs more than most modules hold. Bundlers read the modules that tsc wrote, and drop
// the unused ones. Nothing is minified, so stack traces stay readable. One build makes all files, so every class exists
// once.
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { isAbsolute, join, normalize, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'

const root = fileURLToPath(new URL('../packages/sdk/', import.meta.url))
const sources = join(root, 'src')
const folder = join(root, 'dist')

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
      lists.every((names) => names.some((name) => modulesBelow(join(sources, `${name}.ts`), graph).has(id))),
    ),
  )

const known = new Map()

/** A module of ours and everything that it imports, lazily loaded modules left out. */
function modulesBelow(id, graph) {
  if (known.has(id)) return known.get(id)
  const found = new Set([id])
  for (const module of found) {
    for (const imported of graph.getModuleInfo(module)?.importedIds ?? []) if (isAbsolute(imported)) found.add(imported)
  }
  known.set(id, found)
  return found
}

/** Lower layers have priority, because a group includes the imports of its modules. */
const groups = layers.map((layer, index) => ({
  name: (id, graph) => (layerOf(id, graph) === layer ? layer.name : null),
  debugName: layer.name,
  priority: layers.length - index,
}))

/** One character beyond Latin-1 makes V8 store a whole file in two bytes per character, which loads a tenth slower. */
const inBytes = {
  name: 'in-bytes',
  generateBundle(_options, files) {
    for (const file of Object.values(files)) if (file.type === 'chunk') file.code = escaped(file.code)
  },
}

const escaped = (code) =>
  code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

const { output } = await build({
  cwd: root,
  input: Object.fromEntries(subpaths.map((subpath) => [subpath, join(sources, `${subpath}.ts`)])),
  platform: 'neutral',
  external: (id) => !id.startsWith('.') && !isAbsolute(id),
  preserveEntrySignatures: 'strict',
  transform: { target: 'es2023' },
  checks: { bundlerTimings: false },
  plugins: [inBytes],
  output: {
    dir: folder,
    // The extension marks a module: for `.js` Node searches for package.json first.
    entryFileNames: '[name].mjs',
    chunkFileNames: ({ isDynamicEntry, facadeModuleId }) =>
      isDynamicEntry ? relative(sources, facadeModuleId).replace(/\.ts$/, '.mjs') : 'shared/[name].mjs',
    codeSplitting: { groups },
    minifyInternalExports: false,
    comments: { jsdoc: false },
  },
})

/** Files left by an earlier build would be published too. */
const written = new Set(output.map(({ fileName }) => normalize(fileName)))
for (const name of readdirSync(folder, { recursive: true })) {
  if (/\.m?js(\.map)?$/.test(name) && !written.has(name) && !name.startsWith('modules')) rmSync(join(folder, name))
}
