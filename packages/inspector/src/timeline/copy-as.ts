import type { Message } from '@tenon/sdk/client'
import { type RequestHeadersOptions, requestHeaders } from '@tenon/sdk/http'
import { mayRound, readExact, writeExact } from '../exact-json.ts'
import type { ServerView, TerminalCommands, TimelineEntry } from '../protocol.ts'
import type { ManagedServer } from '../servers/managed-server.ts'
import { replaceArgumentSecrets, replaceQuerySecrets } from '../url-secrets.ts'
import { asTypeScript } from './as-typescript.ts'

/** A word for a POSIX shell. Text of a server stays one word. */
const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)

/** Stands for a value that a person has to fill in. */
const leftOut = (): string => '…'

/** The commands that a message can be copied as. */
export function copyAs(entry: TimelineEntry, server: ManagedServer, connection: number): TerminalCommands {
  if (!isOwnRequest(entry)) return {}
  const { view, catalogs } = server
  const { name } = (entry.payload as Request).params ?? {}
  const inputSchema = catalogs.known.tools?.items.find((tool) => tool.name === name)?.inputSchema
  // The session of a connection that has ended is gone.
  const session = server.connection === connection ? server.session : leftOut()
  const [tenon, curl] = [asTenon(entry, view), asCurl(entry, view, { inputSchema, ...(session && { session }) })]
  const typescript = asTypeScript(entry, view)
  return { ...(tenon && { tenon }), ...(curl && { curl }), ...(typescript && { typescript }) }
}

const isOwnRequest = ({ kind, from }: TimelineEntry): boolean => kind === 'request' && from === 'client'

/** The `tenon` command that makes the same request, where there is one. */
export function asTenon(entry: TimelineEntry, { spec, revision }: ServerView): string | undefined {
  const words = isOwnRequest(entry) ? commandWords(requestIn(entry)) : undefined
  if (words === undefined || spec.kind === 'session') return undefined
  const options = revision === undefined ? [] : ['--revision', revision]
  const [verb, ...rest] = words
  const line =
    spec.kind === 'url'
      ? ['tenon', verb!, replaceQuerySecrets(spec.url, leftOut), ...rest, ...options]
      : ['tenon', verb!, ...rest, ...options, '--', spec.command, ...replaceArgumentSecrets(spec.args ?? [], leftOut)]
  return line.map(quoted).join(' ')
}

interface Request {
  method: string
  params?: { [name: string]: unknown }
}

/** The request with all digits of its numbers. */
const requestIn = ({ payload, text }: TimelineEntry): Request => (mayRound(text) ? readExact(text) : payload) as Request

function commandWords({ method, params = {} }: Request): string[] | undefined {
  const { name, uri, arguments: args = {} } = params
  if (method === 'tools/call' && typeof name === 'string') return ['call', name, writeExact(args)]
  if (method === 'prompts/get' && typeof name === 'string') return ['prompt', name, writeExact(args)]
  if (method === 'resources/read' && typeof uri === 'string') return ['read', uri]
  return undefined
}

/** The HTTP session of a request and the input schema of its tool. */
type CurlContext = Pick<RequestHeadersOptions, 'session' | 'inputSchema'>

/** The `curl` command that makes the same request over HTTP. */
export function asCurl(entry: TimelineEntry, server: ServerView, context: CurlContext = {}): string | undefined {
  const { spec, revision } = server
  if (spec.kind !== 'url' || !/^https?:/.test(spec.url) || !isOwnRequest(entry)) return undefined
  const own = requestHeaders(entry.payload as Message, { ...context, ...(revision && { revision }) })
  const headers = [
    // curl leaves out a header that ends with a colon.
    ...Object.entries(own).map(([name, value]) => (value === '' ? `${name};` : `${name}: ${value}`)),
    ...Object.keys(spec.headers ?? {}).map((name) => `${name}: ${leftOut()}`),
  ]
  return [
    'curl -N',
    quoted(replaceQuerySecrets(spec.url, leftOut)),
    ...headers.map((header) => `-H ${quoted(header)}`),
    `-d ${quoted(writeExact(requestIn(entry)))}`,
  ].join(' \\\n  ')
}
