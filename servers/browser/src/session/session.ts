import { ToolError } from '@tenon/sdk/server'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { FullSettings } from '../browser-settings.ts'
import type { Chromium } from '../chromium/chromium.ts'
import type { Admission, FilterProxy } from '../network/filter-proxy.ts'
import { mayLoad } from '../network/page-schemes.ts'
import { type DownloadEntry, Downloads } from './downloads.ts'
import { Journal, shortened } from './journal.ts'
import { KeptFiles } from './kept-files.ts'
import { Tabs } from './tabs.ts'
import { type NetworkEntry, now, watchPage } from './watch-page.ts'
import { within } from './within.ts'

/** The parts that all sessions share. */
export interface Shared {
  readonly chromium: Chromium
  readonly proxy: () => Promise<FilterProxy>
  readonly settings: () => FullSettings
  /** Hears that a resource of the session changed. */
  readonly changed: (session: Session, what: 'console' | 'network' | 'files') => void
}

/** A context of Chromium with everything that belongs to it. */
interface Opened {
  readonly browser: Browser
  readonly context: BrowserContext
  readonly tabs: Tabs
  readonly admission: Admission
  readonly downloads: Downloads | undefined
}

const maxWaiting = 50
/** Longer than everything that a call may wait for. */
const maxCallMs = 180_000

/** The browser of one client: tabs, cookies and storage that no other session sees. */
export class Session {
  readonly id: string
  /** Only this principal may use the session; undefined if its client did not authenticate. */
  readonly owner: string | undefined
  readonly console: Journal<string>
  readonly network: Journal<NetworkEntry>
  readonly files: KeptFiles
  lastUsed: number = Date.now()
  readonly #shared: Shared
  /** The reasons for which the proxy did not connect, by host. */
  readonly #refusals = new Map<string, string>()
  #opened: Promise<Opened> | undefined
  #waiting = 0
  #turn: Promise<unknown> = Promise.resolve()
  #notes: string[] = []
  #ended = false

  constructor(id: string, owner: string | undefined, shared: Shared) {
    this.id = id
    this.owner = owner
    this.#shared = shared
    this.console = new Journal(() => shared.changed(this, 'console'))
    this.network = new Journal(() => shared.changed(this, 'network'))
    this.files = new KeptFiles(() => shared.changed(this, 'files'))
  }

  get isBusy(): boolean {
    return this.#waiting > 0
  }

  /** Does something with the tabs when it is its turn: calls of one session come one after the other. */
  async use<T>(signal: AbortSignal, work: (tabs: Tabs) => Promise<T>): Promise<T> {
    if (this.#waiting >= maxWaiting) throw new ToolError('Too many calls at once. Wait for the answers to the others.')
    this.#waiting++
    const turn = this.#turn.then(async () => {
      signal.throwIfAborted()
      const { tabs, browser } = await this.#open()
      try {
        return await within(maxCallMs, signal, work(tabs), () => new ToolError(noAnswer))
      } catch (error) {
        // The event comes a moment after the error that it causes.
        if (!browser.isConnected() || /closed/i.test(String(error))) {
          await new Promise((resolve) => setImmediate(resolve))
        }
        throw browser.isConnected() ? error : new ToolError(crashed)
      }
    })
    this.#turn = turn.catch(() => {})
    try {
      return await turn
    } finally {
      this.#waiting--
      this.lastUsed = Date.now()
    }
  }

  /** Says something with the result of the next call. */
  note(text: string): void {
    if (this.#notes.length < 10) this.#notes.push(text)
  }

  takeNotes(): string[] {
    return this.#notes.splice(0)
  }

  async downloads(): Promise<DownloadEntry[]> {
    return (await this.#opened)?.downloads?.all() ?? []
  }

  /** The reason for which the proxy did not connect to a host, since `forgetRefusals`. */
  refusalOf(url: string): string | undefined {
    return URL.canParse(url) ? this.#refusals.get(new URL(url).host) : undefined
  }

  forgetRefusals(): void {
    this.#refusals.clear()
  }

  async close(): Promise<void> {
    this.#ended = true
    const opened = await this.#opened?.catch(() => undefined)
    this.#opened = undefined
    await opened?.context.close().catch(() => {})
  }

  #open(): Promise<Opened> {
    if (this.#ended) throw new ToolError('The session was closed. Call again to begin a new one.')
    this.#opened ??= this.#start().catch((error) => {
      this.#opened = undefined
      throw error
    })
    return this.#opened
  }

  async #start(): Promise<Opened> {
    const { chromium, proxy: startProxy, settings } = this.#shared
    const browser = await chromium.open()
    const proxy = await startProxy()
    const admission = proxy.admit((url, reason) => this.#refused(url.href, url.host, reason))
    const { username, password } = admission
    const keepsDownloads = settings().downloads !== undefined
    const context = await browser.newContext({
      proxy: { server: `http://127.0.0.1:${proxy.port}`, bypass: '<-loopback>', username, password },
      viewport: { width: 800, height: 600 },
      // Their requests belong to no page, and they outlive it.
      serviceWorkers: 'block',
    })
    await context.route(
      (url) => !mayLoad(url),
      (route) => {
        const url = route.request().url()
        this.#refused(url, '', 'this browser opens no such address')
        return route.abort('blockedbyclient')
      },
    )
    const tabs = new Tabs(
      context,
      () => settings().maxTabs,
      (page) => this.#watch(page),
      () => this.note(`A window that a page opened was closed: there are ${settings().maxTabs} tabs already.`),
    )
    const downloads = keepsDownloads ? this.#makeDownloads() : undefined
    const opened = { browser, context, tabs, admission, downloads }
    context.once('close', () => this.#gone(opened))
    const { page } = await tabs.open()
    await downloads?.begin(browser, page)
    return opened
  }

  #makeDownloads(): Downloads {
    const rules = (): { folder: string; maxBytes: number } => {
      const { downloads, maxDownload } = this.#shared.settings()
      return { folder: downloads!, maxBytes: maxDownload }
    }
    return new Downloads(rules, ({ name, state, path, bytes, reason }) => {
      this.note(
        state === 'done' ? `Downloaded ${name}: ${path}, ${bytes} bytes.` : `The download ${name} failed: ${reason}.`,
      )
    })
  }

  #watch(page: Page): void {
    watchPage(page, this)
    page.on('crash', () => this.note(`A page crashed, and its tab was closed: ${shortened(page.url(), 200)}`))
    page.on('download', (download) => {
      if (this.#shared.settings().downloads !== undefined) return
      void download.cancel().catch(() => {})
      this.note(`The download ${shortened(download.suggestedFilename(), 100)} was refused: ${noDownloads}`)
    })
  }

  #refused(href: string, host: string, reason: string): void {
    if (this.#refusals.size < 1_000) this.#refusals.set(host, reason)
    this.network.add({
      time: now(),
      method: '',
      url: shortened(href),
      type: 'refused',
      failure: shortened(reason, 500),
    })
  }

  #gone({ admission, downloads }: Opened): void {
    admission[Symbol.dispose]()
    downloads?.dispose()
    this.#opened = undefined
    // Nothing else closes a context.
    if (!this.#ended) {
      this.note('Chromium ended unexpectedly and was started anew: tabs, cookies and forms of before are gone.')
    }
  }
}

const noAnswer =
  'The page did not answer. Close its tab with browser_tabs, or the session with browser_close, and open it again.'
const noDownloads = 'this server was started without a folder for downloads (--downloads DIR).'
const crashed =
  'Chromium ended unexpectedly during this call. The next call starts it anew, without the tabs, cookies and forms of before.'
