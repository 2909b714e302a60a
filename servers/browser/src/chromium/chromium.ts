import { ToolError } from '@tenon/sdk/server'
import type { Browser } from 'playwright-core'
import { findChromium, isExecutable } from './find-chromium.ts'
import { guardFlags } from './launch-flags.ts'
import type { LaunchSettings } from './launch-settings.ts'

const launchTimeoutMs = 60_000
/** A start takes a second or more, and another session often follows soon. */
const lingerMs = 60_000

/** One Chromium for all sessions, started when it is first needed and again after it has crashed. */
export class Chromium {
  readonly #settings: () => LaunchSettings
  readonly #proxyPort: () => Promise<number>
  #browser: Promise<Browser> | undefined
  #ending: NodeJS.Timeout | undefined

  constructor(settings: () => LaunchSettings, proxyPort: () => Promise<number>) {
    this.#settings = settings
    this.#proxyPort = proxyPort
  }

  open(): Promise<Browser> {
    clearTimeout(this.#ending)
    this.#browser ??= this.#launch().catch((error) => {
      this.#browser = undefined
      throw error
    })
    return this.#browser
  }

  /** Ends it if nobody opens it again soon. */
  closeLater(): void {
    clearTimeout(this.#ending)
    this.#ending = setTimeout(() => void this.close(), lingerMs).unref()
  }

  async close(): Promise<void> {
    clearTimeout(this.#ending)
    const browser = this.#browser
    this.#browser = undefined
    await (await browser?.catch(() => undefined))?.close().catch(() => {})
  }

  async #launch(): Promise<Browser> {
    const settings = this.#settings()
    const executablePath = programOf(settings)
    const { chromium } = await loadPlaywright()
    const server = `http://127.0.0.1:${await this.#proxyPort()}`
    try {
      const browser = await chromium.launch({
        executablePath,
        headless: settings.headed !== true,
        chromiumSandbox: settings.noSandbox !== true,
        args: [...(settings.launchFlag ?? []), ...guardFlags],
        proxy: { server, bypass: '<-loopback>' },
        timeout: launchTimeoutMs,
        // The program ends it itself, and answers its client first.
        handleSIGINT: false,
        handleSIGTERM: false,
        handleSIGHUP: false,
      })
      browser.once('disconnected', () => {
        this.#browser = undefined
      })
      return browser
    } catch (error) {
      throw new ToolError(`Chromium (${executablePath}) did not start: ${reasonOf(error as Error)}`)
    }
  }
}

/** Loaded when it is wanted, which takes a moment: a server should be there at once. */
export const loadPlaywright = (): Promise<typeof import('playwright-core')> => import('playwright-core')

function programOf({ chromium }: LaunchSettings): string {
  const program = chromium ?? findChromium()
  if (program !== undefined && isExecutable(program)) return program
  throw new ToolError(
    program === undefined
      ? 'No Chromium was found on this machine. Ask the user to install Chromium or Google Chrome, or to start this server with --chromium PATH.'
      : `There is no program ${program}. Ask the user to start this server with another --chromium PATH.`,
  )
}

function reasonOf({ message }: Error): string {
  if (/sandboxing failed|No usable sandbox|without --no-sandbox/i.test(message)) {
    const cause = process.getuid?.() === 0 ? 'it does not run as root' : 'this machine does not let it run'
    return `${cause} with its sandbox. Ask the user to start this server as another user, or with --no-sandbox.`
  }
  if (/XServer|X server/i.test(message))
    return 'there is no screen. Ask the user to start this server without --headed.'
  return message.split('\n', 1)[0]!.slice(0, 300)
}
