import type { ServerView, TimelineEntry } from '../../src/protocol.ts'
import { replaceArgumentSecrets, replaceQuerySecrets } from '../../src/url-secrets.ts'

/** A word for a POSIX shell: whatever a server put into it, it stays one word. */
export const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`

interface Request {
  method: string
  params: { [name: string]: unknown }
}

/** What a message asks for, if it is a request of the workbench. */
export function requestOf({ kind, from, payload }: TimelineEntry): Request | undefined {
  if (kind !== 'request' || from !== 'client') return undefined
  const { method, params = {} } = payload as { method: string; params?: { [name: string]: unknown } }
  // What the protocol adds to every request is added again.
  const { _meta: _, ...own } = params
  return { method, params: own }
}

/** Secrets are left to be filled in. */
const leftOut = (): string => '…'

/** The same on the command line, for what `tenon` has a command for. */
export function asTenon(entry: TimelineEntry, { spec, revision }: ServerView): string | undefined {
  const words = wordsOf(requestOf(entry))
  if (words === undefined || spec.kind === 'session') return undefined
  const options = revision === undefined ? [] : ['--revision', revision]
  const [verb, ...rest] = words
  const line =
    spec.kind === 'url'
      ? ['tenon', verb!, replaceQuerySecrets(spec.url, leftOut), ...rest, ...options]
      : ['tenon', verb!, ...rest, ...options, '--', spec.command, ...replaceArgumentSecrets(spec.args ?? [], leftOut)]
  return line.map(quoted).join(' ')
}

function wordsOf(request: Request | undefined): string[] | undefined {
  const { name, uri, arguments: args = {} } = request?.params ?? {}
  if (request?.method === 'tools/call' && typeof name === 'string') return ['call', name, JSON.stringify(args)]
  if (request?.method === 'prompts/get' && typeof name === 'string') return ['prompt', name, JSON.stringify(args)]
  if (request?.method === 'resources/read' && typeof uri === 'string') return ['read', uri]
  return undefined
}

/** The same over HTTP. Values of headers that are secrets are left to be filled in. */
export function asCurl(entry: TimelineEntry, { spec, revision }: ServerView): string | undefined {
  const request = requestOf(entry)
  if (spec.kind !== 'url' || !/^https?:/.test(spec.url) || request === undefined) return undefined
  const { name, uri } = request.params
  const target = [name, uri].find((value) => typeof value === 'string')
  const isModern = revision === '2026-07-28'
  const headers = [
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    `MCP-Protocol-Version: ${revision ?? '…'}`,
    ...(isModern ? [`Mcp-Method: ${request.method}`] : ['Mcp-Session-Id: …']),
    ...(isModern && target !== undefined ? [`Mcp-Name: ${target}`] : []),
    ...Object.keys(spec.headers ?? {}).map((header) => `${header}: …`),
  ]
  const lines = headers.map((header) => `-H ${quoted(header)}`)
  return [
    'curl -N',
    quoted(replaceQuerySecrets(spec.url, leftOut)),
    ...lines,
    `-d ${quoted(JSON.stringify(entry.payload))}`,
  ].join(' \\\n  ')
}
