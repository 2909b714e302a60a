import type { Revision } from '@tenon/sdk/client'
import type { CommandSpec, ServerSpec, UrlSpec } from '../../src/protocol.ts'
import type { ClientFeature } from '../../src/servers/client-features.ts'
import { guessCommandName, guessUrlName } from '../../src/servers/guess-name.ts'
import { Unread } from '../form/draft.ts'
import { headers, type PairKind, readPairs, textOfPairs, variables } from './pair-lines.ts'
import { joinWords, splitWords } from './words.ts'

/** The fields of the form, as typed. */
export interface SpecDraft {
  kind: ServerSpec['kind']
  name: string
  commandLine: string
  cwd: string
  url: string
  /** `NAME=value`, one per line. */
  env: string
  /** `Name: value`, one per line. */
  headers: string
  revision: Revision | ''
  roots: string
  /** In MiB. */
  maxMessage: string
  /** In seconds. */
  timeout: string
  prefer: 'newest' | 'session' | ''
  proxy: string
  ca: string
  /** The host that the workbench stands in for. */
  host: string
  clientName: string
  clientVersion: string
  without: readonly ClientFeature[]
  oauth: 'auto' | 'off'
  clientId: string
  clientSecret: string
  scopes: string
}

export const emptyDraft: SpecDraft = {
  kind: 'command',
  name: '',
  commandLine: '',
  cwd: '',
  url: '',
  env: '',
  headers: '',
  revision: '',
  roots: '',
  maxMessage: '',
  timeout: '',
  prefer: '',
  proxy: '',
  ca: '',
  host: '',
  clientName: '',
  clientVersion: '',
  without: [],
  oauth: 'auto',
  clientId: '',
  clientSecret: '',
  scopes: '',
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

const mebibyte = 1024 * 1024

/** Mistakes in the fields of a draft. */
type SpecProblems = ReadonlyMap<keyof SpecDraft, string>

/** The specification of a draft, or the mistakes in it. */
export function toSpec(
  draft: SpecDraft,
): { spec: CommandSpec | UrlSpec; problems?: undefined } | { problems: SpecProblems } {
  const problems = new Map<keyof SpecDraft, string>()
  const pairs = (field: 'env' | 'headers', kind: PairKind): { [name: string]: string } => {
    const read = readPairs(draft[field], kind)
    if (!(read instanceof Unread)) return read
    problems.set(field, read.problem)
    return {}
  }
  const roots = linesOf(draft.roots).map((uri) => ({ uri }))
  const { revision } = draft
  const maxMessageBytes = draft.maxMessage.trim() === '' ? undefined : Math.floor(Number(draft.maxMessage) * mebibyte)
  if (maxMessageBytes !== undefined && !(maxMessageBytes > 0 && Number.isSafeInteger(maxMessageBytes)))
    problems.set('maxMessage', `Expected a number of MiB such as 64, got ${JSON.stringify(draft.maxMessage)}`)
  const timeoutMs = draft.timeout.trim() === '' ? undefined : Math.round(Number(draft.timeout) * 1_000)
  if (timeoutMs !== undefined && !(timeoutMs > 0 && Number.isSafeInteger(timeoutMs)))
    problems.set('timeout', `Expected a number of seconds such as 300, got ${JSON.stringify(draft.timeout)}`)
  const client = clientOf(draft)
  const shared = {
    ...(revision && { revision }),
    ...(draft.prefer && { prefer: draft.prefer }),
    ...(client && { client }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(roots.length > 0 && { roots }),
    ...(maxMessageBytes !== undefined && { maxMessageBytes }),
  }
  const wrongRoot = linesOf(draft.roots).find((line) => !/^(?:file:\/\/|[~/\\]|[a-z]:[/\\])/i.test(line))
  if (wrongRoot !== undefined)
    problems.set('roots', `Expected a whole path, or a URI that begins with file://, got ${JSON.stringify(wrongRoot)}`)
  const spec =
    draft.kind === 'command'
      ? { ...shared, ...commandOf(draft, pairs('env', variables), problems) }
      : { ...shared, ...urlOf(draft, pairs('headers', headers), problems) }
  return problems.size === 0 ? { spec } : { problems }
}

function clientOf({ host, clientName, clientVersion, without }: SpecDraft): ServerSpec['client'] {
  const [name, version] = [clientName.trim(), clientVersion.trim()]
  const client = {
    ...(host && { host }),
    ...(name && { name }),
    ...(name && version && { version }),
    ...(without.length > 0 && { without: [...without] }),
  }
  return Object.keys(client).length === 0 ? undefined : client
}

type Texts = { [name: string]: string }

function commandOf(
  { name, commandLine, cwd }: SpecDraft,
  env: Texts,
  problems: Map<keyof SpecDraft, string>,
): CommandSpec {
  const words = splitWords(commandLine)
  if (words === undefined) problems.set('commandLine', 'A quote is not closed')
  const set = assignmentsIn(words ?? [])
  const [command = '', ...args] = (words ?? []).slice(set.length)
  const twice = set.find(([variable]) => Object.hasOwn(env, variable))
  if (twice !== undefined) problems.set('commandLine', `${twice[0]} is among the variables too`)
  const all = { ...Object.fromEntries(set), ...env }
  if (words !== undefined && command === '') problems.set('commandLine', 'Say which program to start')
  return {
    kind: 'command',
    ...named(name, guessCommandName(command, args)),
    command,
    ...(args.length > 0 && { args }),
    ...(Object.keys(all).length > 0 && { env: all }),
    ...(cwd !== '' && { cwd }),
  }
}

/** Without a name, a guess stands for the one that the server will say. */
const named = (name: string, guess: string): Pick<CommandSpec, 'name' | 'autoName'> =>
  name === '' ? { name: guess, autoName: true } : { name }

/** `NAME=value` before a program sets a variable for it, as in a shell. */
function assignmentsIn(words: readonly string[]): [name: string, value: string][] {
  const end = words.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word))
  return words.slice(0, end === -1 ? words.length : end).map((word) => {
    const at = word.indexOf('=')
    return [word.slice(0, at), word.slice(at + 1)]
  })
}

const isServerUrl = (url: string): boolean => URL.canParse(url) && /^(?:https?|wss?):$/.test(new URL(url).protocol)

function urlOf(draft: SpecDraft, sent: Texts, problems: Map<keyof SpecDraft, string>): UrlSpec {
  const { name, url, clientId, clientSecret } = draft
  if (!isServerUrl(url.trim())) problems.set('url', 'Expected an http, https, ws or wss URL')
  const [proxy, ca] = [draft.proxy.trim(), draft.ca.trim()]
  if (proxy !== '' && !/^https?:\/\/[^@]+$/i.test(proxy))
    problems.set('proxy', 'Expected an http or https URL without a password')
  if (ca !== '' && !/^(?:[/\\]|[a-z]:[/\\])/i.test(ca)) problems.set('ca', 'Expected a whole path')
  const scopes = draft.scopes.split(/\s+/).filter(Boolean)
  const client = {
    ...(clientId !== '' && { clientId }),
    ...(clientSecret !== '' && { clientSecret }),
    ...(scopes.length > 0 && { scopes }),
  }
  return {
    kind: 'url',
    ...named(name, guessUrlName(url.trim())),
    url,
    ...(Object.keys(sent).length > 0 && { headers: sent }),
    ...(proxy && { proxy }),
    ...(ca && { ca }),
    ...(draft.oauth === 'off' ? { oauth: false } : Object.keys(client).length > 0 && { oauth: client }),
  }
}

/** A specification as it stands in the form. */
export function toDraft(spec: CommandSpec | UrlSpec): SpecDraft {
  const shared: SpecDraft = {
    ...emptyDraft,
    kind: spec.kind,
    name: spec.autoName ? '' : spec.name,
    revision: spec.revision ?? '',
    roots: (spec.roots ?? []).map(({ uri }) => uri).join('\n'),
    timeout: spec.timeoutMs === undefined ? '' : String(spec.timeoutMs / 1_000),
    prefer: spec.prefer ?? '',
    host: spec.client?.host ?? '',
    clientName: spec.client?.name ?? '',
    clientVersion: spec.client?.version ?? '',
    without: spec.client?.without ?? [],
    maxMessage: spec.maxMessageBytes === undefined ? '' : String(spec.maxMessageBytes / mebibyte),
  }
  if (spec.kind === 'command') {
    const commandLine = joinWords([spec.command, ...(spec.args ?? [])])
    return { ...shared, commandLine, cwd: spec.cwd ?? '', env: textOfPairs(spec.env, variables) }
  }
  const { clientId = '', clientSecret = '', scopes = [] } = typeof spec.oauth === 'object' ? spec.oauth : {}
  return {
    ...shared,
    url: spec.url,
    proxy: spec.proxy ?? '',
    ca: spec.ca ?? '',
    headers: textOfPairs(spec.headers, headers),
    oauth: spec.oauth === false ? 'off' : 'auto',
    clientId,
    clientSecret,
    scopes: scopes.join(' '),
  }
}
