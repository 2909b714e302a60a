// The measured implementations, and their adapters. Those of the peers live beside the packages that they import.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** @type {{ name: string, title: string, packages?: string[] }[]} */
export const implementations = [
  { name: 'limit', title: 'bare Node' },
  { name: 'tenon', title: 'Tenon' },
  {
    name: 'sdk-v2',
    title: 'official SDK v2',
    packages: ['@modelcontextprotocol/server', '@modelcontextprotocol/client'],
  },
  { name: 'sdk-v1', title: 'official SDK v1', packages: ['@modelcontextprotocol/sdk'] },
  { name: 'fastmcp', title: 'fastmcp', packages: ['fastmcp'] },
  { name: 'tmcp', title: 'tmcp', packages: ['tmcp'] },
  { name: 'mcp-lite', title: 'mcp-lite', packages: ['mcp-lite'] },
  { name: 'mcporter', title: 'mcporter', packages: ['mcporter'] },
  { name: 'inspector', title: 'Inspector', packages: ['@modelcontextprotocol/inspector'] },
]

export const isPeer = (name) => implementations.find((one) => one.name === name)?.packages !== undefined

/** The adapter of an implementation, if it has one. */
export function adapterOf(implementation, name) {
  const folder = isPeer(implementation) ? 'peers' : 'adapters'
  const path = fileURLToPath(new URL(`../${folder}/${implementation}/${name}.mjs`, import.meta.url))
  return existsSync(path) ? path : undefined
}
