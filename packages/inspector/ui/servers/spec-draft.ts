import type { Revision } from '@tenon/sdk/client'
import type { CommandSpec, ServerSpec, UrlSpec } from '../../src/protocol.ts'
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
  const shared = {
    ...(revision && { revision }),
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

type Texts = { [name: string]: string }

function commandOf(
  { name, commandLine, cwd }: SpecDraft,
  env: Texts,
  problems: Map<keyof SpecDraft, string>,
): CommandSpec {
  const words = splitWords(commandLine)
  if (words === undefined) problems.set('commandLine', 'A quote is not closed')
  const [command = '', ...args] = words ?? []
  if (words !== undefined && command === '') problems.set('commandLine', 'Say which program to start')
  return {
    kind: 'command',
    name: name || command.split(/[/\\]/).at(-1)! || 'server',
    command,
    ...(args.length > 0 && { args }),
    ...(Object.keys(env).length > 0 && { env }),
    ...(cwd !== '' && { cwd }),
  }
}

const isServerUrl = (url: string): boolean => URL.canParse(url) && /^(?:https?|wss?):$/.test(new URL(url).protocol)

function urlOf(draft: SpecDraft, sent: Texts, problems: Map<keyof SpecDraft, string>): UrlSpec {
  const { name, url, clientId, clientSecret } = draft
  if (!isServerUrl(url.trim())) problems.set('url', 'Expected an http, https, ws or wss URL')
  const scopes = draft.scopes.split(/\s+/).filter(Boolean)
  const client = {
    ...(clientId !== '' && { clientId }),
    ...(clientSecret !== '' && { clientSecret }),
    ...(scopes.length > 0 && { scopes }),
  }
  return {
    kind: 'url',
    name: name || (URL.canParse(url) ? new URL(url).host : 'server'),
    url,
    ...(Object.keys(sent).length > 0 && { headers: sent }),
    ...(draft.oauth === 'off' ? { oauth: false } : Object.keys(client).length > 0 && { oauth: client }),
  }
}

/** A specification as it stands in the form. */
export function toDraft(spec: CommandSpec | UrlSpec): SpecDraft {
  const shared: SpecDraft = {
    ...emptyDraft,
    kind: spec.kind,
    name: spec.name,
    revision: spec.revision ?? '',
    roots: (spec.roots ?? []).map(({ uri }) => uri).join('\n'),
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
    headers: textOfPairs(spec.headers, headers),
    oauth: spec.oauth === false ? 'off' : 'auto',
    clientId,
    clientSecret,
    scopes: scopes.join(' '),
  }
}
