import { constants, copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Browser, CDPSession, Page } from 'playwright-core'
import { freePath, safeFileName } from './file-name.ts'
import { shortened } from './journal.ts'

export interface DownloadEntry {
  name: string
  url: string
  state: 'running' | 'done' | 'failed'
  bytes: number
  path?: string
  reason?: string
}

export interface DownloadRules {
  readonly folder: string
  readonly maxBytes: number
}

const maxRunning = 5
const maxEntries = 100

interface Progress {
  guid: string
  receivedBytes: number
  totalBytes: number
  state: 'inProgress' | 'completed' | 'canceled'
}

/**
 * The downloads of one session. Chromium writes them to a private folder under names of its own, where they are watched
 * for their size; a complete one is moved to the folder of the operator.
 */
export class Downloads {
  readonly #rules: () => DownloadRules
  readonly #changed: (entry: DownloadEntry) => void
  readonly #place = mkdtempSync(join(tmpdir(), 'tenon-browser-downloads-'))
  readonly #entries = new Map<string, DownloadEntry>()
  #cancel: (guid: string) => void = () => {}

  constructor(rules: () => DownloadRules, changed: (entry: DownloadEntry) => void) {
    this.#rules = rules
    this.#changed = changed
  }

  /** Begins with the first page of the session, which tells the context. */
  async begin(browser: Browser, page: Page): Promise<void> {
    const browserContextId = await contextIdOf(page)
    const session = await browser.newBrowserCDPSession()
    const seen = new Map<string, { url: string; name: string }>()
    session.on('Browser.downloadWillBegin', ({ guid, url, suggestedFilename }) => {
      seen.set(guid, { url: shortened(url), name: safeFileName(suggestedFilename) })
      if (seen.size > maxEntries) seen.delete(seen.keys().next().value!)
    })
    session.on('Browser.downloadProgress', (progress) => {
      const begun = seen.get(progress.guid)
      // Chromium tells every session of all downloads; ours are those in our folder.
      if (begun !== undefined && this.#isOurs(progress.guid)) this.#follow(progress as Progress, begun)
    })
    this.#cancel = (guid) => void cancel(session, guid, browserContextId)
    const behavior = {
      behavior: 'allowAndName',
      browserContextId,
      downloadPath: this.#place,
      eventsEnabled: true,
    } as const
    await session.send('Browser.setDownloadBehavior', behavior)
  }

  all(): DownloadEntry[] {
    return [...this.#entries.values()]
  }

  dispose(): void {
    rmSync(this.#place, { recursive: true, force: true })
  }

  #isOurs(guid: string): boolean {
    return this.#entries.has(guid) || existsSync(this.#file(guid)) || existsSync(`${this.#file(guid)}.crdownload`)
  }

  #follow({ guid, receivedBytes, totalBytes, state }: Progress, begun: { url: string; name: string }): void {
    const entry = this.#entries.get(guid) ?? this.#begin(guid, begun)
    if (entry.state !== 'running') return
    const { maxBytes } = this.#rules()
    entry.bytes = Math.max(entry.bytes, receivedBytes)
    if (Math.max(totalBytes, entry.bytes) > maxBytes) this.#fail(guid, entry, tooLarge(maxBytes))
    else if (state === 'completed') this.#finish(guid, entry)
    else if (state === 'canceled') this.#fail(guid, entry, 'the download broke off')
  }

  #begin(guid: string, { url, name }: { url: string; name: string }): DownloadEntry {
    const entry: DownloadEntry = { name, url, state: 'running', bytes: 0 }
    const running = this.all().filter(({ state }) => state === 'running').length
    this.#entries.set(guid, entry)
    if (this.#entries.size > maxEntries) this.#entries.delete(this.#entries.keys().next().value!)
    if (running >= maxRunning) this.#fail(guid, entry, `more than ${maxRunning} downloads at the same time`)
    return entry
  }

  #finish(guid: string, entry: DownloadEntry): void {
    const { folder, maxBytes } = this.#rules()
    const file = this.#file(guid)
    try {
      entry.bytes = statSync(file).size
      if (entry.bytes > maxBytes) this.#fail(guid, entry, tooLarge(maxBytes))
      else this.#save(file, folder, entry)
    } catch (error) {
      this.#fail(guid, entry, `it could not be saved: ${(error as NodeJS.ErrnoException).code ?? 'unknown'}`)
    } finally {
      rmSync(file, { force: true })
    }
  }

  #save(file: string, folder: string, entry: DownloadEntry): void {
    mkdirSync(folder, { recursive: true })
    const path = freePath(folder, entry.name)
    // Never over a file that is there, nor through a link.
    copyFileSync(file, path, constants.COPYFILE_EXCL)
    Object.assign(entry, { state: 'done', path, name: basename(path) })
    this.#changed(entry)
  }

  #fail(guid: string, entry: DownloadEntry, reason: string): void {
    Object.assign(entry, { state: 'failed', reason })
    this.#cancel(guid)
    this.#changed(entry)
  }

  #file(guid: string): string {
    return join(this.#place, basename(guid))
  }
}

const tooLarge = (maxBytes: number): string => `it is larger than ${maxBytes} bytes (--max-download)`

async function contextIdOf(page: Page): Promise<string> {
  const session = await page.context().newCDPSession(page)
  const { targetInfo } = await session.send('Target.getTargetInfo')
  await session.detach()
  return targetInfo.browserContextId!
}

async function cancel(session: CDPSession, guid: string, browserContextId: string): Promise<void> {
  await session.send('Browser.cancelDownload', { guid, browserContextId }).catch(() => {})
}
