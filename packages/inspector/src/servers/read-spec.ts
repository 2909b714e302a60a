import { isAbsolute } from 'node:path'
import { RequestProblem } from '../problem.ts'
import type { ClientSpec, CommandSpec, OAuthSpec, ServerSpec, UrlSpec } from '../protocol.ts'
import {
  type RawParams,
  readNumberIfAny,
  readObject,
  readOneOf,
  readText,
  readTextIfAny,
  readTextRecord,
  readTexts,
} from '../read-params.ts'
import { readRevision } from '../revisions.ts'
import { clientFeatures, hostPresets } from './client-features.ts'
import { readRoots } from './read-roots.ts'

/** Reads a specification of the page; unknown members are dropped. */
export function readSpec(value: unknown): ServerSpec {
  const raw = readObject('spec', value)
  const kind = readOneOf(raw, 'kind', ['command', 'url', 'session'])
  if (kind === 'session') return { ...readShared(raw), kind, session: readText(raw, 'session') }
  return kind === 'command' ? readCommand(raw) : readUrl(raw)
}

type SharedName = 'name' | 'autoName' | 'revision' | 'prefer' | 'client' | 'roots' | 'timeoutMs' | 'maxMessageBytes'

function readShared(raw: RawParams): Pick<ServerSpec, SharedName> {
  const name = readText(raw, 'name').trim()
  if (name === '') throw new RequestProblem('Give the server a name')
  const timeoutMs = readNumberIfAny(raw, 'timeoutMs', 1)
  const maxMessageBytes = readNumberIfAny(raw, 'maxMessageBytes', 1)
  return {
    name: name.slice(0, 100),
    ...(raw.autoName === true && { autoName: true }),
    ...(raw.revision !== undefined && { revision: readRevision(raw) }),
    ...(raw.prefer !== undefined && { prefer: readOneOf(raw, 'prefer', ['newest', 'session']) }),
    ...(raw.client !== undefined && { client: readClient(raw.client) }),
    ...(raw.roots !== undefined && { roots: readRoots(raw.roots) }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(maxMessageBytes !== undefined && { maxMessageBytes }),
  }
}

const maxClientText = 200

function readClient(value: unknown): ClientSpec {
  const raw = readObject('client', value)
  const text = (member: 'name' | 'version'): string | undefined =>
    readTextIfAny(raw, member)?.trim().slice(0, maxClientText) || undefined
  const [name, version] = [text('name'), text('version')]
  return {
    ...(raw.host !== undefined && { host: readOneOf(raw, 'host', [...hostPresets.keys()]) }),
    ...(name && { name }),
    ...(version && { version }),
    ...(raw.without !== undefined && {
      without: readTexts(raw, 'without').map((feature) => readOneOf({ feature }, 'feature', clientFeatures)),
    }),
  }
}

function readCommand(raw: RawParams): CommandSpec {
  const command = readText(raw, 'command').trim()
  if (command === '') throw new RequestProblem('Say which program to start')
  const cwd = readTextIfAny(raw, 'cwd')
  return {
    ...readShared(raw),
    kind: 'command',
    command,
    ...(raw.args !== undefined && { args: readTexts(raw, 'args') }),
    ...(raw.env !== undefined && { env: readTextRecord(raw, 'env') }),
    ...(cwd && { cwd }),
  }
}

function readUrl(raw: RawParams): UrlSpec {
  const url = readText(raw, 'url').trim()
  if (!URL.canParse(url) || !/^(?:https?|wss?):$/.test(new URL(url).protocol)) {
    throw new RequestProblem(`url: expected an http, https, ws or wss URL, got ${JSON.stringify(url)}`)
  }
  return {
    ...readShared(raw),
    kind: 'url',
    url,
    ...(raw.headers !== undefined && { headers: readTextRecord(raw, 'headers') }),
    ...(raw.oauth !== undefined && { oauth: readOAuth(raw.oauth) }),
    ...readProxy(raw, url),
    ...readAuthority(raw),
  }
}

/** Requests to the server go through it. Credentials would be in the list of servers, where no secret belongs. */
function readProxy(raw: RawParams, url: string): Pick<UrlSpec, 'proxy'> {
  const proxy = readTextIfAny(raw, 'proxy')?.trim()
  if (!proxy) return {}
  if (!URL.canParse(proxy) || !/^https?:$/.test(new URL(proxy).protocol)) {
    throw new RequestProblem(`proxy: expected an http or https URL, got ${JSON.stringify(proxy)}`)
  }
  const { username, password } = new URL(proxy)
  if (username !== '' || password !== '') throw new RequestProblem('proxy: a user and a password cannot be given')
  if (/^ws/i.test(url)) throw new RequestProblem('proxy: WebSocket connections go through none')
  return { proxy }
}

function readAuthority(raw: RawParams): Pick<UrlSpec, 'ca'> {
  const ca = readTextIfAny(raw, 'ca')?.trim()
  if (!ca) return {}
  if (!isAbsolute(ca)) throw new RequestProblem(`ca: expected a whole path, got ${JSON.stringify(ca)}`)
  return { ca }
}

function readOAuth(value: unknown): boolean | OAuthSpec {
  if (typeof value === 'boolean') return value
  const raw = readObject('oauth', value)
  const clientId = readTextIfAny(raw, 'clientId')
  const clientSecret = readTextIfAny(raw, 'clientSecret')
  return {
    ...(clientId && { clientId }),
    ...(clientSecret && { clientSecret }),
    ...(raw.scopes !== undefined && { scopes: readTexts(raw, 'scopes') }),
  }
}
