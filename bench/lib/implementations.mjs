// The measured implementations, and their adapters. Those of the peers live beside the packages that they import.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { toolchains } from './toolchains.mjs'

const everyHandler = ['sync', 'async', 'timer']
const knownByNet = ['echo', 'arguments', 'structured']
const foreign = { handlers: ['sync', 'async'], exchanges: ['echo'], full: true }

/**
 * @typedef {object} Implementation
 * @property {string} name
 * @property {string} title
 * @property {string[]} [packages] of a peer on Node
 * @property {import('./toolchains.mjs').Toolchain} [toolchain] of a peer in another language
 * @property {boolean} [full] left out of --quick, unless asked for
 * @property {string[]} [handlers] kinds that its tool comes in; default: one, in the simplest way to write it
 * @property {string[]} [exchanges] that it answers, as in load/exchanges.mjs; default: all
 * @property {string[]} [stdioEras] default: both
 */

/** @type {Implementation[]} */
export const implementations = [
  { name: 'limit', title: 'bare Node', handlers: everyHandler },
  { name: 'limit-net', title: 'HTTP by hand on node:net', handlers: everyHandler, exchanges: knownByNet, full: true },
  { name: 'tenon', title: 'Tenon', handlers: everyHandler },
  { name: 'rmcp', title: 'official Rust SDK', toolchain: toolchains.rust, ...foreign },
  { name: 'go-sdk', title: 'official Go SDK', toolchain: toolchains.go, ...foreign },
  { name: 'python-sdk', title: 'official Python SDK', toolchain: toolchains.python, ...foreign },
  {
    name: 'sdk-v2',
    title: 'official SDK v2',
    packages: ['@modelcontextprotocol/server', '@modelcontextprotocol/client'],
  },
  { name: 'sdk-v1', title: 'official SDK v1', packages: ['@modelcontextprotocol/sdk'], stdioEras: ['session'] },
  { name: 'fastmcp', title: 'fastmcp', packages: ['fastmcp'], stdioEras: ['session'] },
  { name: 'tmcp', title: 'tmcp', packages: ['tmcp'] },
  { name: 'mcp-lite', title: 'mcp-lite', packages: ['mcp-lite'] },
  { name: 'mcporter', title: 'mcporter', packages: ['mcporter'] },
  { name: 'inspector', title: 'Inspector', packages: ['@modelcontextprotocol/inspector'] },
]

export const implementation = (name) => implementations.find((one) => one.name === name)

export const isPeer = (name) => {
  const { packages, toolchain } = implementation(name)
  return packages !== undefined || toolchain !== undefined
}

/** The adapter of an implementation, if it has one. */
export function adapterOf(implementation, name) {
  const folder = isPeer(implementation) ? 'peers' : 'adapters'
  const path = fileURLToPath(new URL(`../${folder}/${implementation}/${name}.mjs`, import.meta.url))
  return existsSync(path) ? path : undefined
}
