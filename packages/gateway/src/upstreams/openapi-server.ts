import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { fromOpenApi, type OpenApiOptions } from '@tenon/openapi'
import { McpError } from '@tenon/sdk/client'
import type { Server } from '@tenon/sdk/server'
import type { OpenApiUpstream } from '../config/model.ts'
import { credentialsOf } from './credential-headers.ts'
import type { ForCaller } from './target.ts'

/** The largest document that is read. */
const maxBytes = 16 * 1024 * 1024

/** Reads the document; the returned function makes the server, with the credentials of a caller if there is one. */
export async function openApiServer(
  config: OpenApiUpstream,
  { folder }: { readonly folder: string },
): Promise<(upstream: string, to: ForCaller | undefined) => Server> {
  const document = await readDocument(config.openapi, folder)
  const { baseUrl, headers, credentials, maxAnswerBytes } = config
  const base = baseUrl ?? (isUrl(config.openapi) ? new URL('/', config.openapi) : undefined)
  const options: OpenApiOptions = {
    ...(base !== undefined && { baseUrl: base }),
    ...(headers && { headers }),
    ...(credentials && { credentials }),
    ...(maxAnswerBytes !== undefined && { maxAnswerBytes }),
  }
  const shared = fromOpenApi(document, options).server
  return (upstream, to) =>
    to === undefined ? shared : fromOpenApi(document, { ...options, fetch: fetchFor(upstream, to) }).server
}

const isUrl = (place: string): boolean => /^https?:/i.test(place)

async function readDocument(place: string, folder: string): Promise<string> {
  if (!isUrl(place)) return readFile(resolve(folder, place), 'utf8')
  const response = await fetch(place, { signal: AbortSignal.timeout(30_000) })
  if (!response.ok) throw new McpError('http', `${place} answered with ${response.status}`)
  const text = await response.text()
  if (text.length > maxBytes) throw new McpError('too_large', `${place} is longer than ${maxBytes} bytes`)
  return text
}

/** Adds the headers of a caller, which may be newer with each request; after a refusal they are looked up once more. */
function fetchFor(upstream: string, { source, caller }: ForCaller): typeof fetch {
  const send = async (input: RequestInfo | URL, init: RequestInit = {}) => {
    const signal = init.signal ?? new AbortController().signal
    const used = await credentialsOf(source, caller, upstream, signal)
    const all = new Headers(init.headers)
    for (const [name, value] of Object.entries(used.headers ?? {})) all.set(name, value)
    return { response: await fetch(input, { ...init, headers: all }), used }
  }
  return async (input, init) => {
    const { response, used } = await send(input, init)
    if (response.status !== 401 || source.refused === undefined) return response
    await response.body?.cancel()
    await source.refused(caller, upstream, used)
    return (await send(input, init)).response
  }
}
