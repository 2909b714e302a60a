import { existsSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { Inspector, InspectorOptions } from '@tenon/inspector'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
} from 'playwright-core'
import { afterAll, beforeAll, describe, type SuiteFactory } from 'vitest'
import { findChromium } from '../../../scripts/programs.mjs'
import { requires } from '../../../scripts/requires.ts'
import { startInTest } from './workbench-in-test.suite.ts'

let browser: Browser

/** Tests in a real browser, which is started once for a file, with more arguments if there are any. */
export function inBrowser(name: string, tests: SuiteFactory, more: readonly string[] = []): void {
  describe(name, requires('chromium'), () => {
    beforeAll(async () => {
      if (!existsSync(new URL('../dist/ui/index.html', import.meta.url))) throw new Error('Run `npm run build` first')
      browser = await chromium.launch({ executablePath: findChromium()!, args: ['--no-sandbox', ...more] })
    })
    afterAll(() => browser?.close())
    // A browser on a busy machine takes its time.
    describe('', { timeout: 180_000 }, tests)
  })
}

/** A person at the workbench: the page, and its errors. */
export class Visit implements AsyncDisposable {
  readonly page: Page
  readonly inspector: Inspector
  /** Errors, and violations of the content security policy. */
  readonly complaints: string[] = []
  /** Requests to anywhere but the workbench. */
  readonly outside: string[] = []
  readonly #context: BrowserContext

  private constructor(inspector: Inspector, context: BrowserContext, page: Page) {
    this.inspector = inspector
    this.#context = context
    this.page = page
    const { origin } = new URL(inspector.url)
    page.on('pageerror', (error) => this.complaints.push(error.message))
    page.on('console', (message) => {
      if (message.type() === 'error') this.complaints.push(message.text())
    })
    page.on('dialog', (dialog) => {
      this.complaints.push(`a dialog said ${dialog.message()}`)
      void dialog.dismiss()
    })
    page.on('request', (request) => {
      const url = request.url()
      if (!url.startsWith(`${origin}/`) && !/^(?:data|blob):/.test(url)) this.outside.push(url)
    })
  }

  static async begin(options: InspectorOptions, look: BrowserContextOptions = {}): Promise<Visit> {
    const inspector = await startInTest(options)
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...look })
    const page = await context.newPage()
    page.setDefaultTimeout(100_000)
    if (process.env.SLOW_MS !== undefined) await slowDown(context, Number(process.env.SLOW_MS))
    const visit = new Visit(inspector, context, page)
    await page.goto(inspector.url)
    await page.getByRole('main').waitFor()
    // Past the start page: to the tools, or to the way to a first server.
    await visit.goTo((await page.locator('.server-link').count()) > 0 ? 'tools' : 'add')
    return visit
  }

  /** Goes to a place in the page by its address, with its parameters last. */
  async goTo(...parts: (string | { [name: string]: string })[]): Promise<void> {
    const path = parts.filter((part) => typeof part === 'string').map(encodeURIComponent)
    const [params] = parts.filter((part) => typeof part !== 'string')
    const query = params === undefined ? '' : `?${new URLSearchParams(params)}`
    await this.page.goto(`${new URL(this.inspector.url).origin}/#/${path.join('/')}${query}`)
  }

  /** Finds something with the palette. */
  async find(text: string): Promise<void> {
    await this.page.keyboard.press('Control+k')
    await this.page.getByRole('combobox', { name: 'Go to' }).fill(text)
    await this.page.getByRole('listbox', { name: 'Found' }).getByRole('option').first().waitFor()
    await this.page.keyboard.press('Enter')
  }

  /** Looks for messages in the timeline, until those that match are shown. */
  async filter(query: string): Promise<void> {
    await this.page.getByLabel('Filter messages').fill(query)
    await this.page.locator('.timeline-body[aria-busy="false"]').waitFor()
  }

  /** Presses a button that calls a server: the panel with the outcome of this call, and not of one before. */
  async press(name: string): Promise<Locator> {
    const started = this.page.waitForResponse(/\/api\/call\.start$/)
    await this.page.getByRole('button', { name }).click()
    const { result } = (await (await started).json()) as { result: { call: string } }
    return this.page.locator(`[data-call="${result.call}"]`)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#context.close()
    await this.inspector.close()
  }
}

/**
 * Lets every command of the page wait, each for another time. With SLOW_MS=400 a test fails that counts on an answer to be
 * there, which on a busy machine it would do now and then.
 */
function slowDown(context: BrowserContext, mostMs: number): Promise<unknown> {
  return context.route('**/api/*', async (route) => {
    await delay(Math.random() * mostMs)
    // The page may be closed by now.
    await route.continue().catch(() => {})
  })
}

/** A page of its own, for a workbench that is running. */
export async function openPage(url: string): Promise<Page> {
  const page = await browser.newPage()
  page.setDefaultTimeout(100_000)
  await page.goto(url)
  return page
}

/** The text in a field, or in an editor. */
export const textIn = (field: Locator): Promise<string> =>
  field.evaluate((node) =>
    'value' in node
      ? String(node.value)
      : [...node.querySelectorAll('.cm-line')]
          .map((line) => (line.querySelector('.cm-placeholder') ? '' : line.textContent))
          .join('\n'),
  )
