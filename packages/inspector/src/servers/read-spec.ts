import { RequestProblem } from '../problem.ts'
import type { CommandSpec, OAuthSpec, ServerSpec, UrlSpec } from '../protocol.ts'
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
import { readRoots } from './read-roots.ts'

/** Reads a specification of the page; unknown members are dropped. */
export function readSpec(value: unknown): ServerSpec {
  const raw = readObject('spec', value)
  const kind = readOneOf(raw, 'kind', ['command', 'url', 'session'])
  if (kind === 'session') return { ...readShared(raw), kind, session: readText(raw, 'session') }
  return kind === 'command' ? readCommand(raw) : readUrl(raw)
}

function readShared(raw: RawParams): Pick<ServerSpec, 'name' | 'revision' | 'roots' | 'timeoutMs' | 'maxMessageBytes'> {
  const name = readText(raw, 'name').trim()
  if (name === '') throw new RequestProblem('Give the server a name')
  const timeoutMs = readNumberIfAny(raw, 'timeoutMs', 1)
  const maxMessageBytes = readNumberIfAny(raw, 'maxMessageBytes', 1)
  return {
    name: name.slice(0, 100),
    ...(raw.revision !== undefined && { revision: readRevision(raw) }),
    ...(raw.roots !== undefined && { roots: readRoots(raw.roots) }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(maxMessageBytes !== undefined && { maxMessageBytes }),
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
  }
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
