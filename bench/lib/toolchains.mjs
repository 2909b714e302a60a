// Peers in other languages: programs in bench/peers, built where their toolchain is present.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pythonEnvironment } from '../../interop/lib/python.mjs'
import { compiled, executable } from '../../interop/lib/toolchain.mjs'

/**
 * @typedef {object} Toolchain
 * @property {(say: (text: string) => void) => string | undefined} prepare builds the program; the reason if it cannot
 * @property {() => boolean} isBuilt
 * @property {() => string} version of the peer
 * @property {string[]} program command and first arguments
 */

const folderOf = (name) => fileURLToPath(new URL(`../peers/${name}/`, import.meta.url))
const versionIn = (file, pattern) => readFileSync(file, 'utf8').match(pattern)[1]

const rustFolder = folderOf('rmcp')
const goFolder = folderOf('go-sdk')
const python = pythonEnvironment()

export const toolchains = {
  /** @type {Toolchain} for release, with LTO: see Cargo.toml */
  rust: {
    ...compiled({
      folder: rustFolder,
      language: 'Rust',
      sources: ['Cargo.toml', 'Cargo.lock', 'src/main.rs'],
      output: 'target',
      command: 'cargo',
      args: ['build', '--quiet', '--locked', '--release'],
    }),
    version: () => versionIn(join(rustFolder, 'Cargo.toml'), /^rmcp = .*"=([^"]+)"/m),
    program: [join(rustFolder, 'target', 'release', executable('bench'))],
  },
  /** @type {Toolchain} */
  go: {
    ...compiled({
      folder: goFolder,
      language: 'Go',
      sources: ['go.mod', 'go.sum', 'main.go'],
      output: 'bin',
      command: 'go',
      args: ['build', '-o', 'bin/', './...'],
    }),
    version: () => versionIn(join(goFolder, 'go.mod'), /go-sdk v(\S+)/),
    program: [join(goFolder, 'bin', executable('bench'))],
  },
  /** @type {Toolchain} in the environment of the interop run */
  python: {
    prepare: python.prepare,
    isBuilt: python.isBuilt,
    version: () => python.versionOf('mcp'),
    program: [python.python, join(folderOf('python-sdk'), 'server.py')],
  },
}
