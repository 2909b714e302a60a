import { ErrorCode, isRpcError } from '../../errors.ts'
import { unlessAborted } from '../../internal/abort.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import type { CallOptions, ChangeKind } from '../types.ts'
import { type CacheableRequest, PendingFetch } from './pending-fetch.ts'

/** How many results a client keeps, of those that its server allows to keep. */
export interface CacheOptions {
  /** 500. */
  maxEntries?: number
  /** 8 Mi, of text as JavaScript holds it. */
  maxBytes?: number
}

/** Cache options with every default filled in. */
export interface CacheSettings extends Required<CacheOptions> {
  /** Whether results that are meant for one authorization may be kept: not where it may change from call to call. */
  keepsPrivate: boolean
  /** Counts how often credentials changed. */
  auth?: { readonly renewals: number }
}

interface Entry extends CacheableRequest {
  /** Text, because callers may change the result. */
  text: string
  bytes: number
  staleAt: number
}

// `server/discover` is not: it is sent for the present state, at the start and as a ping.
const cacheable: ReadonlySet<string> = new Set([
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
])

const listsOf: Readonly<Record<ChangeKind, readonly string[]>> = {
  tools: ['tools/list'],
  prompts: ['prompts/list'],
  resources: ['resources/list', 'resources/templates/list'],
}

/**
 * Results that the server says stay fresh for a while, for one connection and its authorization. Equal requests at the
 * same time are sent once.
 */
export class ResponseCache {
  readonly #settings: CacheSettings
  /** The least recently used first. */
  readonly #entries = new Map<string, Entry>()
  readonly #pending = new Set<PendingFetch>()
  /** The fetch that began last, by key. */
  readonly #latest = new Map<string, PendingFetch>()
  /** Methods whose last result was not to be kept: nothing is gained by waiting for the answer to an equal request. */
  readonly #unshared = new Set<string>()
  #bytes = 0
  #renewals = 0

  constructor(settings: CacheSettings) {
    this.#settings = settings
  }

  /** Whether a call is one whose result may be kept. Own `_meta` may change the answer, so such calls are not. */
  serves(method: string, { meta }: CallOptions): boolean {
    return cacheable.has(method) && meta === undefined
  }

  /** The result of a request: a fresh one that is kept, a pending one, or that of `send`. */
  async fetch(request: CacheableRequest, options: CallOptions, send: () => Promise<JsonObject>): Promise<JsonObject> {
    const { auth } = this.#settings
    // Other credentials may see other results.
    if (auth !== undefined && auth.renewals !== this.#renewals) {
      this.#renewals = auth.renewals
      this.clear()
    }
    const key = `${request.method} ${JSON.stringify(request.params)}`
    if (options.fresh === true || options.signal?.aborted) return this.#send(key, request, options, send)
    // No `await` before `#send`: the next equal request must find the pending fetch.
    const found = this.#kept(key) ?? this.#join(key, request.method, options)
    const text = found instanceof Promise ? await found : found
    return text === undefined ? this.#send(key, request, options, send) : (JSON.parse(text) as JsonObject)
  }

  /** A list has changed. */
  changed(kind: ChangeKind): void {
    const methods = listsOf[kind]
    this.#forget(({ method }) => methods.includes(method))
  }

  /** A resource has changed, and with it those that contain it or are part of it. */
  updated(uri: string): void {
    this.#forget(({ method, params }) => method === 'resources/read' && related(String(params.uri), uri))
  }

  clear(): void {
    this.#forget(() => true)
    this.#unshared.clear()
  }

  #kept(key: string): string | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    this.#delete(key, entry)
    if (entry.staleAt <= performance.now()) return undefined
    this.#set(key, entry)
    return entry.text
  }

  #join(key: string, method: string, options: CallOptions): Promise<string | undefined> | undefined {
    const pending = this.#latest.get(key)
    if (
      pending === undefined ||
      !pending.joinable ||
      pending.outdated ||
      !isPlain(options) ||
      this.#unshared.has(method)
    )
      return undefined
    return unlessAborted(method, pending.text, options.signal)
  }

  async #send(
    key: string,
    request: CacheableRequest,
    options: CallOptions,
    send: () => Promise<JsonObject>,
  ): Promise<JsonObject> {
    const pending = new PendingFetch(request, isPlain(options))
    this.#pending.add(pending)
    this.#latest.set(key, pending)
    try {
      const result = await send()
      pending.resolve(this.#keep(key, pending, result))
      return result
    } catch (error) {
      // The requests that joined were not aborted.
      if (options.signal?.aborted) pending.resolve(undefined)
      else pending.reject(error)
      this.#discardPages(request, error)
      throw error
    } finally {
      this.#pending.delete(pending)
      if (this.#latest.get(key) === pending) this.#latest.delete(key)
    }
  }

  /** The text of a result for others, if they may have it. It is kept unless a later request will bring a newer one. */
  #keep(key: string, pending: PendingFetch, result: JsonObject): string | undefined {
    const { method, params } = pending
    const isLatest = this.#latest.get(key) === pending
    const old = this.#entries.get(key)
    if (isLatest && old !== undefined) this.#delete(key, old)
    const lifetime = this.#lifetime(result)
    if (lifetime > 0) this.#unshared.delete(method)
    else this.#unshared.add(method)
    if (lifetime <= 0 || pending.outdated) return undefined
    const staleAt = performance.now() + lifetime
    const text = JSON.stringify(result)
    const bytes = 2 * (key.length + text.length)
    if (isLatest && bytes <= this.#settings.maxBytes) this.#set(key, { method, params, text, bytes, staleAt })
    return text
  }

  #lifetime({ resultType = 'complete', ttlMs, cacheScope }: JsonObject): number {
    const mayKeep = resultType === 'complete' && (cacheScope === 'public' || this.#settings.keepsPrivate)
    return mayKeep && typeof ttlMs === 'number' ? ttlMs : 0
  }

  /** Pages lead to each other: a cursor that is refused means that those before it are out of date. */
  #discardPages({ method, params }: CacheableRequest, error: unknown): void {
    const refused = isRpcError(error) && error.remote && error.code === ErrorCode.InvalidParams
    if (refused && params.cursor !== undefined) this.#forget((entry) => entry.method === method)
  }

  #forget(concerns: (request: CacheableRequest) => boolean): void {
    for (const [key, entry] of this.#entries) if (concerns(entry)) this.#delete(key, entry)
    for (const pending of this.#pending) if (concerns(pending)) pending.outdated = true
  }

  #set(key: string, entry: Entry): void {
    this.#entries.set(key, entry)
    this.#bytes += entry.bytes
    const { maxEntries, maxBytes } = this.#settings
    for (const [oldest, { bytes }] of this.#entries) {
      if (this.#entries.size <= maxEntries && this.#bytes <= maxBytes) return
      this.#delete(oldest, { bytes })
    }
  }

  #delete(key: string, { bytes }: Pick<Entry, 'bytes'>): void {
    this.#entries.delete(key)
    this.#bytes -= bytes
  }
}

/** A call with time limits of its own is not shared. */
const isPlain = ({ timeoutMs, maxTotalMs, onProgress }: CallOptions): boolean =>
  timeoutMs === undefined && maxTotalMs === undefined && onProgress === undefined

const related = (one: string, other: string): boolean => one.startsWith(other) || other.startsWith(one)
