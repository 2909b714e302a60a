import { RequestProblem } from '../problem.ts'
import type { CommandSpec, ServerSpec, UrlSpec } from '../protocol.ts'
import { isObject } from '../read-params.ts'
import { readSpec } from '../servers/read-spec.ts'
import { withoutUrlSecrets } from '../url-secrets.ts'
import type { RawEntry } from './kept-file.ts'
import { clientSecretName, parametersIn, queryName, urlSecretNames, userinfoName } from './secret-names.ts'

/** The specifications that can be kept: a recording is gone when the workbench ends. */
export type KeepableSpec = CommandSpec | UrlSpec

export const isKeepable = (spec: ServerSpec): spec is KeepableSpec => spec.kind !== 'session'

/** An entry of the list that was understood; the values of its secrets are empty. */
export interface KeptEntry {
  id: string
  spec: KeepableSpec
  atStart: boolean
}

const members = [
  ...[
    'id',
    'name',
    'autoName',
    'kind',
    'revision',
    'prefer',
    'client',
    'roots',
    'timeoutMs',
    'maxMessageBytes',
    'atStart',
  ],
  ...['command', 'args', 'env', 'cwd'],
  ...['url', 'userinfo', 'query', 'headers', 'oauth', 'proxy', 'ca'],
] as const

/** An entry without any secret: of variables, headers and secrets in a query only the names. Members that others wrote stay. */
export function toRaw({ id, spec, atStart }: KeptEntry, missing: readonly string[], before: RawEntry = {}): RawEntry {
  const others = Object.fromEntries(Object.entries(before).filter(([name]) => !members.some((known) => known === name)))
  const { kind, name, autoName, revision, prefer, client, roots, timeoutMs, maxMessageBytes } = spec
  return {
    id,
    name,
    ...(autoName && { autoName }),
    kind,
    ...(spec.kind === 'command' ? commandMembers(spec) : urlMembers(spec, missing)),
    ...(revision !== undefined && { revision }),
    ...(prefer !== undefined && { prefer }),
    ...(client !== undefined && { client }),
    ...(roots !== undefined && { roots }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(maxMessageBytes !== undefined && { maxMessageBytes }),
    ...(atStart && { atStart }),
    ...others,
  }
}

const commandMembers = ({ command, args, env, cwd }: CommandSpec): RawEntry => ({
  command,
  ...(args && { args }),
  ...(env && { env: Object.keys(env) }),
  ...(cwd !== undefined && { cwd }),
})

/** A missing secret still belongs to the server: it is asked for when the list is read again. */
function urlMembers({ url, headers, oauth, proxy, ca }: UrlSpec, missing: readonly string[]): RawEntry {
  const names = [...new Set([...urlSecretNames(url), ...missing])]
  const query = parametersIn(names)
  return {
    url: withoutUrlSecrets(url),
    ...(names.includes(userinfoName) && { userinfo: true }),
    ...(query.length > 0 && { query }),
    ...(headers && { headers: Object.keys(headers) }),
    ...(oauth !== undefined && { oauth: withoutClientSecret(oauth, missing.includes(clientSecretName)) }),
    ...(proxy !== undefined && { proxy }),
    ...(ca !== undefined && { ca }),
  }
}

function withoutClientSecret(oauth: NonNullable<UrlSpec['oauth']>, isMissing: boolean): unknown {
  if (typeof oauth === 'boolean' || (oauth.clientSecret === undefined && !isMissing)) return oauth
  return { ...oauth, clientSecret: true }
}

/** An entry as it stands in the list. */
interface ListedEntry extends KeptEntry {
  /** The secrets that belong to it. */
  needs: string[]
  /** Whether its URL has secrets in it, which belong into the store. */
  isTelling: boolean
}

/** Reads an entry; throws a `RequestProblem` that names the mistake. */
export function fromRaw(raw: unknown): ListedEntry {
  if (!isObject(raw)) throw new RequestProblem('expected an object')
  const { id, env, headers, oauth, query = [], atStart } = raw
  if (typeof id !== 'string' || !/^[\w-]{1,100}$/.test(id)) throw new RequestProblem('id: expected a text')
  const hasClientSecret = isObject(oauth) && oauth.clientSecret === true
  const spec = readSpec({
    ...raw,
    ...(env !== undefined && { env: emptyValues('env', env) }),
    ...(headers !== undefined && { headers: emptyValues('headers', headers) }),
    ...(hasClientSecret && { oauth: { ...oauth, clientSecret: undefined } }),
  })
  if (!isKeepable(spec)) throw new RequestProblem('kind: expected command or url')
  const values = spec.kind === 'command' ? spec.env : spec.headers
  const needs = [
    ...Object.keys(values ?? {}),
    ...(hasClientSecret ? [clientSecretName] : []),
    ...(raw.userinfo === true ? [userinfoName] : []),
    ...Object.keys(emptyValues('query', query)).map(queryName),
  ]
  const isTelling = spec.kind === 'url' && urlSecretNames(spec.url).length > 0
  return { id, spec, atStart: spec.kind === 'url' && atStart === true, needs, isTelling }
}

function emptyValues(member: string, names: unknown): { [name: string]: string } {
  if (!Array.isArray(names) || !names.every((name) => typeof name === 'string')) {
    throw new RequestProblem(`${member}: expected an array of names`)
  }
  return Object.fromEntries(names.map((name) => [name, '']))
}
