import type { Page, Request } from 'playwright-core'
import { mayLoad } from '../network/page-schemes.ts'
import { type Journal, shortened } from './journal.ts'

/** One request of a page, when it is over. */
export interface NetworkEntry {
  readonly time: string
  readonly method: string
  readonly url: string
  /** `document`, `script`, `image`, `xhr`, `websocket`, … */
  readonly type: string
  readonly status?: number
  readonly ms?: number
  /** The reason if it failed or was refused. */
  readonly failure?: string
}

export interface PageJournals {
  readonly console: Journal<string>
  readonly network: Journal<NetworkEntry>
}

/** Writes down what a page says and requests. */
export function watchPage(page: Page, { console: lines, network }: PageJournals): void {
  const say = (kind: string, text: string): void => lines.add(`[${kind}] ${shortened(text)}`)
  page.on('console', (message) => say(message.type() === 'warning' ? 'warn' : message.type(), message.text()))
  page.on('pageerror', (error) => say('error', `Uncaught ${error.name}: ${error.message}`))
  page.on('dialog', (dialog) => {
    say('dialog', `${dialog.type()}: ${dialog.message()} (dismissed)`)
    void dialog.dismiss().catch(() => {})
  })
  page.on('requestfinished', async (request) => {
    const status = (await request.response().catch(() => null))?.status()
    network.add({ ...describe(request), ...(status !== undefined && { status }), ms: elapsed(request) })
  })
  page.on('requestfailed', (request) => {
    network.add({ ...describe(request), failure: request.failure()?.errorText ?? 'failed' })
  })
  page.on('websocket', (socket) => {
    network.add({ time: now(), method: 'GET', url: shortened(socket.url()), type: 'websocket' })
  })
  // No page should get there. If one does, it does not stay.
  page.on('framenavigated', (frame) => {
    const url = frame.url()
    if (!URL.canParse(url) || mayLoad(new URL(url)) || url.startsWith('chrome-error:')) return
    say('error', `${shortened(url, 200)} was closed: this browser opens no such address`)
    void page.goto('about:blank').catch(() => {})
  })
}

export const now = (): string => new Date().toISOString()

const describe = (request: Request): Pick<NetworkEntry, 'time' | 'method' | 'url' | 'type'> => ({
  time: now(),
  method: request.method(),
  url: shortened(request.url()),
  type: request.resourceType(),
})

const elapsed = (request: Request): number => Math.max(0, Math.round(request.timing().responseEnd))
