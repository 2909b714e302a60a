import { McpError } from '../../errors.ts'
import { base64ToBytes } from '../../internal/base64.ts'
import { describe, isObject } from '../../jsonrpc/classify.ts'
import type { ResourceContents } from '../../model/content.ts'
import { readCsp } from '../csp.ts'
import { readPermissions } from '../permissions.ts'
import { isAppUri } from '../tool-meta.ts'
import { type AppCsp, type AppPermissions, appMimeType, isAppType } from '../vocabulary.ts'
import type { AppClient } from './app-client.ts'

/** A view as its server sent it, checked. */
export interface AppDocument {
  readonly uri: string
  readonly html: string
  /** The origins that it declares; entries that no policy can be made of are left out. */
  readonly csp: AppCsp
  readonly permissions: AppPermissions
  readonly domain: string | undefined
  readonly prefersBorder: boolean | undefined
  /** Of the page, in hex, to recognise it by; only where the platform has WebCrypto (https, localhost). */
  readonly sha256: string | undefined
}

export interface LoadAppOptions {
  /** Characters of the page. Default: 8 Mi. */
  maxHtmlLength?: number
  /** Things that work but should not be as they are. */
  onWarning?: (message: string) => void
  signal?: AbortSignal
}

const defaultMaxLength = 8 * 1024 * 1024

/** Reads a view with `resources/read` and checks that it is one. */
export async function loadApp(
  client: Pick<AppClient, 'readResource'>,
  uri: string,
  options: LoadAppOptions = {},
): Promise<AppDocument> {
  if (!isAppUri(uri)) {
    throw new McpError('invalid_argument', `expected a URI that starts with "ui://", got ${JSON.stringify(uri)}`)
  }
  const { maxHtmlLength = defaultMaxLength, onWarning = () => {}, signal } = options
  const { contents } = await client.readResource(uri, signal ? { signal } : {})
  const content = pageOf(contents, uri)
  const html = htmlOf(content, uri, maxHtmlLength)
  // Only the contents count: the list was read earlier, and may be about another page.
  const ui = isObject(content._meta) && isObject(content._meta.ui) ? content._meta.ui : {}
  return {
    uri,
    html,
    csp: readCsp(ui.csp, (what) => onWarning(`${uri}: ${what}`)),
    permissions: readPermissions(ui.permissions),
    domain: typeof ui.domain === 'string' ? ui.domain : undefined,
    prefersBorder: typeof ui.prefersBorder === 'boolean' ? ui.prefersBorder : undefined,
    sha256: await sha256(html),
  }
}

function pageOf(contents: readonly ResourceContents[], uri: string): ResourceContents {
  const content = contents.find((candidate) => candidate.uri === uri) ?? contents[0]
  if (content === undefined) throw invalid(`${uri}: expected contents, got none`)
  const { mimeType } = content
  if (typeof mimeType === 'string' && isAppType(mimeType)) return content
  const found = typeof mimeType === 'string' ? JSON.stringify(mimeType) : describe(mimeType)
  throw invalid(`${uri} mimeType: expected ${JSON.stringify(appMimeType)}, got ${found}`)
}

function htmlOf(content: ResourceContents, uri: string, maxLength: number): string {
  const tooLong = (length: number): McpError =>
    invalid(`${uri}: expected at most ${maxLength} characters (maxHtmlLength), got ${length}`)
  if ('text' in content && typeof content.text === 'string') {
    if (content.text.length > maxLength) throw tooLong(content.text.length)
    return content.text
  }
  if (!('blob' in content) || typeof content.blob !== 'string') throw invalid(`${uri}: expected text or blob`)
  // Before it is decoded: three bytes for four characters, and a character for a byte at most.
  if (content.blob.length * 0.75 > maxLength * 3) throw tooLong(content.blob.length)
  const html = decode(content.blob, uri)
  if (html.length > maxLength) throw tooLong(html.length)
  return html
}

function decode(blob: string, uri: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(base64ToBytes(blob))
  } catch (cause) {
    throw new McpError('invalid_result', `${uri} blob: expected UTF-8 text in base64`, { cause })
  }
}

async function sha256(text: string): Promise<string | undefined> {
  if (globalThis.crypto?.subtle === undefined) return undefined
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

const invalid = (message: string): McpError => new McpError('invalid_result', message)
