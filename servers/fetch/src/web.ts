import { ToolError } from '@tenon/sdk/server'
import { type FetchSettings, readUrl, userAgents } from './fetch-settings.ts'
import { decodeText } from './network/charset.ts'
import type { Downloader } from './network/downloader.ts'
import type { Stored } from './network/http-cache.ts'
import type { PageContent } from './page/page-content.ts'
import type { PageReader } from './page/page-reader.ts'

export interface OpenRequest {
  signal: AbortSignal
  by?: keyof typeof userAgents
  continuing?: boolean
  accept?: string
  progress?(bytes: number, total?: number, message?: string): unknown
}

/** A document of the web, downloaded and not yet read. */
export interface WebDocument {
  /** As it was asked for, in the spelling of the URL standard. */
  readonly requested: string
  /** The address that answered, after redirects. */
  readonly url: string
  readonly status: number
  readonly contentType: string
  readonly kind: 'html' | 'text' | 'image' | 'binary'
  readonly bytes: Buffer
  readonly truncated: boolean
  readonly fromCache: boolean
  readonly stored: Stored
}

const progressStep = 250_000
const imageTypes = /^image\/(png|jpeg|gif|webp|avif)$/
const textTypes = /^(text\/.*|application\/(.*\+)?(json|xml|javascript|yaml|x-yaml|toml|x-ndjson|sql)|image\/svg\+xml)$/

/** Opens documents, and reads each of them once however many calls ask for parts of it. */
export class Web {
  readonly #downloader: Downloader
  readonly #reader: PageReader
  readonly #settings: () => FetchSettings
  readonly #texts = new WeakMap<Stored, string>()
  readonly #pages = new WeakMap<Stored, PageContent>()

  constructor(downloader: Downloader, reader: PageReader, settings: () => FetchSettings) {
    this.#downloader = downloader
    this.#reader = reader
    this.#settings = settings
  }

  async open(
    address: string,
    { signal, by = 'tool', continuing, accept, progress }: OpenRequest,
  ): Promise<WebDocument> {
    const url = readUrl(address)
    let reported = 0
    const { stored, fromCache } = await this.#downloader.get(url, {
      userAgent: this.#settings().userAgent ?? userAgents[by],
      signal,
      continuing: continuing ?? false,
      ...(accept !== undefined && { accept }),
      onProgress(bytes, total) {
        if (bytes - reported < progressStep) return
        reported = bytes
        void progress?.(bytes, total, `${bytes} bytes of ${url.host}`)
      },
    })
    const contentType = stored.headers['content-type'] ?? ''
    const { url: from, status, bytes, truncated } = stored
    const kind = kindOf(contentType, bytes)
    return { requested: url.href, url: from, status, contentType, kind, bytes, truncated, fromCache, stored }
  }

  text({ stored, contentType }: WebDocument): string {
    const known = this.#texts.get(stored)
    if (known !== undefined) return known
    const { text } = decodeText(stored.bytes, contentType)
    this.#texts.set(stored, text)
    return text
  }

  /** The content of an HTML page; other documents have none. */
  async page(document: WebDocument, signal: AbortSignal): Promise<PageContent> {
    if (document.kind !== 'html') {
      const found = document.contentType || 'no content type'
      throw new ToolError(`expected an HTML page at ${document.url}, got ${found}. Call fetch to read it.`)
    }
    const known = this.#pages.get(document.stored)
    if (known !== undefined) return known
    const page = await this.#reader.read(this.text(document), document.url, signal)
    this.#pages.set(document.stored, page)
    return page
  }
}

/** HTML by its header or its beginning, as in the original; otherwise by the header, and by bytes that no text has. */
function kindOf(contentType: string, bytes: Buffer): WebDocument['kind'] {
  const type = contentType.split(';')[0]!.trim().toLowerCase()
  if (imageTypes.test(type)) return 'image'
  const start = bytes.subarray(0, 1_000)
  if (type === 'text/html' || type === 'application/xhtml+xml') return 'html'
  if (type === '' && !start.includes(0)) return 'html'
  if (start.subarray(0, 100).toString('latin1').toLowerCase().includes('<html')) return 'html'
  return textTypes.test(type) || !start.includes(0) ? 'text' : 'binary'
}
