import { offerRules } from '@tenon/bridge'
import { nearest } from '@tenon/sdk/display'
import { httpAddress } from '../upstreams/http-address.ts'
import type { GatewayConfig, MemberConfig, VirtualServerConfig } from './model.ts'
import { type ConfigProblem, GatewayConfigError } from './problem.ts'

/** No two underscores, and none at the end: so the prefix of a name leads to one upstream. */
const upstreamName = /^[A-Za-z0-9](?:[A-Za-z0-9-]|_(?=[A-Za-z0-9-])){0,63}$/
const serverName = /^[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$/
const itemName = /^[A-Za-z0-9_.-]{1,128}$/

/** The kinds of upstreams, each with the member that says so. */
const kinds = ['command', 'url', 'socket', 'module', 'openapi', 'target'] as const

type Path = readonly (string | number)[]

/** Throws if a configuration cannot be used, with everything that is wrong. */
export function checkConfig(config: GatewayConfig): void {
  const problems = problemsOf(config)
  if (problems.length > 0) throw new GatewayConfigError(problems)
}

/** The faults that no schema finds. */
export function problemsOf(config: GatewayConfig): ConfigProblem[] {
  const problems: ConfigProblem[] = []
  const tell = (path: Path, message: string): void => void problems.push({ path, message })
  const names = Object.keys(config.upstreams)
  for (const [name, upstream] of Object.entries(config.upstreams)) {
    const path = ['upstreams', name]
    if (!upstreamName.test(name)) {
      tell(path, 'expected a name of letters, digits, - and single _, with a letter or digit at both ends')
    }
    const found = kinds.filter((kind) => kind in upstream)
    if (found.length !== 1) {
      const got = found.length === 0 ? 'none' : found.join(' and ')
      tell(path, `expected one of command, url, socket, module and openapi, got ${got}`)
    }
    if ('url' in upstream) attempt(() => httpAddress(upstream.url), [...path, 'url'], tell)
    checkGlobs(upstream, path, tell)
  }
  for (const [name, server] of Object.entries(config.servers ?? {})) checkServer(name, server, names, tell)
  return problems
}

type Tell = (path: Path, message: string) => void

function checkServer(name: string, server: VirtualServerConfig, upstreams: readonly string[], tell: Tell): void {
  const path = ['servers', name]
  if (!serverName.test(name)) {
    tell(path, 'expected a name of letters, digits, _, . and -, with a letter or digit at both ends')
  }
  for (const [member, how] of Object.entries(server.upstreams ?? {})) {
    const place = [...path, 'upstreams', member]
    if (!upstreams.includes(member)) {
      const near = nearest(member, new Set(upstreams))
      const hint = near.length > 0 ? `Did you mean ${near.join(' or ')}?` : `There are ${upstreams.join(', ')}.`
      tell(place, `there is no such upstream. ${hint}`)
    }
    if (how !== null) checkMember(how, place, tell)
  }
}

function checkMember(how: MemberConfig, path: Path, tell: Tell): void {
  checkGlobs(how, path, tell)
  const { prefix = '', rename = {} } = how
  if (prefix !== '' && !itemName.test(prefix)) tell([...path, 'prefix'], 'expected letters, digits, _, - and .')
  for (const [name, given] of Object.entries(rename)) {
    if (!itemName.test(given)) tell([...path, 'rename', name], 'expected 1 to 128 letters, digits, _, - and .')
  }
}

function checkGlobs({ include = [], exclude = [] }: MemberConfig, path: Path, tell: Tell): void {
  for (const [list, globs] of [['include', include] as const, ['exclude', exclude] as const]) {
    for (const [index, glob] of globs.entries()) attempt(() => offerRules([glob], []), [...path, list, index], tell)
  }
}

function attempt(work: () => unknown, path: Path, tell: Tell): void {
  try {
    work()
  } catch (error) {
    tell(path, (error as Error).message.replace(/^\w+: /, ''))
  }
}
