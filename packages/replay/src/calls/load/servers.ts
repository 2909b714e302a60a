import type { PathStep } from '../../json/path.ts'
import type { ServerSpec } from '../types.ts'
import type { ValueChecks } from './value-checks.ts'

const members = ['command', 'args', 'env', 'cwd', 'url', 'headers', 'config'] as const

/** Reads the servers of a file, by name. */
export function loadServers(value: unknown, checks: ValueChecks): Map<string, ServerSpec> {
  const given = value === undefined ? {} : (checks.object(value, ['servers']) ?? {})
  const servers = new Map<string, ServerSpec>()
  for (const [name, server] of Object.entries(given)) {
    const spec = loadServer(name, server, ['servers', name], checks)
    if (spec !== undefined) servers.set(name, spec)
  }
  return servers
}

function loadServer(name: string, value: unknown, path: PathStep[], checks: ValueChecks): ServerSpec | undefined {
  if (typeof value === 'string')
    return /^(?:https?|wss?):/i.test(value) ? { name, url: value } : { name, config: value }
  const given = checks.object(value, path, members)
  if (given === undefined) return undefined
  const ways = (['command', 'url', 'config'] as const).filter((way) => given[way] !== undefined)
  if (ways.length !== 1) {
    const found = ways.length === 0 ? 'none' : ways.join(' and ')
    return checks.problems.add(path, `expected one of command, url, config, got ${found}`)
  }
  const spec: ServerSpec = { name }
  for (const member of ['command', 'url', 'config', 'cwd'] as const) {
    if (given[member] !== undefined) spec[member] = checks.text(given[member], [...path, member]) ?? ''
  }
  if (given.args !== undefined) spec.args = checks.textList(given.args, [...path, 'args']) ?? []
  if (given.env !== undefined) spec.env = checks.texts(given.env, [...path, 'env']) ?? {}
  if (given.headers !== undefined) spec.headers = checks.texts(given.headers, [...path, 'headers']) ?? {}
  return spec
}
