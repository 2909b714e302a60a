// The parts that all bundles of packages share.
import { readdirSync, rmSync } from 'node:fs'
import { isAbsolute, join, normalize } from 'node:path'
import { build } from 'rolldown'

/** One character beyond Latin-1 makes V8 store a whole file in two bytes per character, which loads a tenth slower. */
const inBytes = {
  name: 'in-bytes',
  generateBundle(_options, files) {
    for (const file of Object.values(files)) if (file.type === 'chunk') file.code = escaped(file.code)
  },
}

const escaped = (code) =>
  code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Finds the modules below a module: itself and everything that it imports, lazily loaded modules left out. */
export function modulesBelow() {
  const known = new Map()
  return (id, graph) => {
    if (known.has(id)) return known.get(id)
    const found = new Set([id])
    for (const module of found) {
      for (const imported of graph.getModuleInfo(module)?.importedIds ?? [])
        if (isAbsolute(imported)) found.add(imported)
    }
    known.set(id, found)
    return found
  }
}

/**
 * Writes the bundle of a package into its `dist`: one file for each of the `names`, which are modules of `src`, and others
 * that they share. Nothing is minified, so stack traces stay readable. One build makes all files, so every class exists once.
 */
export async function bundlePackage(root, names, { keeps = /^$/, platform = 'node', ...output }) {
  const folder = join(root, 'dist')
  const { output: files } = await build({
    cwd: root,
    input: Object.fromEntries(names.map((name) => [name, join(root, 'src', `${name}.ts`)])),
    platform,
    // Helpers for syntax that Node does not know yet are part of the bundle.
    external: (id) => !id.startsWith('.') && !isAbsolute(id) && !id.startsWith('@oxc-project/runtime'),
    preserveEntrySignatures: 'strict',
    transform: { target: 'es2023' },
    checks: { bundlerTimings: false, ineffectiveDynamicImport: false },
    plugins: [inBytes],
    output: {
      dir: folder,
      // The extension marks a module: for `.js` Node searches for package.json first.
      entryFileNames: '[name].mjs',
      minifyInternalExports: false,
      comments: { jsdoc: false },
      ...output,
    },
  })
  // Files left by an earlier build would be published too.
  const written = new Set(files.map(({ fileName }) => normalize(fileName)))
  for (const name of readdirSync(folder, { recursive: true })) {
    if (/\.m?js(\.map)?$/.test(name) && !written.has(name) && !keeps.test(name)) rmSync(join(folder, name))
  }
}
