// Bundles the command, and @tenon/host below it: a command of the shell is a new process each time, and most of its time
// is spent on opening modules.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundlePackage, modulesBelow } from './bundling.mjs'

const folderOf = (name) => fileURLToPath(new URL(`../packages/${name}/`, import.meta.url))

/** Groups of modules that go into one file each; a module goes into the first group with an entry that needs it. */
function groupsIn(root, groups) {
  const below = modulesBelow()
  const needs = (names, id, graph) => names.some((name) => below(join(root, 'src', `${name}.ts`), graph).has(id))
  return Object.entries(groups).map(([name, entries], index, { length }) => ({
    name: (id, graph) => (needs(entries, id, graph) ? name : null),
    debugName: name,
    priority: length - index,
  }))
}

const host = folderOf('host')
const { exports } = JSON.parse(readFileSync(join(host, 'package.json'), 'utf8'))
const subpaths = Object.values(exports).map(({ 'tenon-source': source }) =>
  source.slice('./src/'.length, -'.ts'.length),
)
// A test runs the audit file alone, in a process that may write little.
await bundlePackage(host, [...subpaths, 'audit/audit-file'], {
  chunkFileNames: 'shared/[name].mjs',
  codeSplitting: { groups: groupsIn(host, { 'config-core': ['config', 'store', 'folder'] }) },
})

const cli = folderOf('cli')
const uses = ['call', 'list', 'read', 'info', 'prompt', 'ping'].map((name) => `commands/use/${name}`)
await bundlePackage(cli, ['main', 'dev/process/runner', 'dev/process/loader'], {
  chunkFileNames: 'shared/[name].mjs',
  codeSplitting: { groups: groupsIn(cli, { version: ['version'], start: ['run'], use: uses }) },
})
