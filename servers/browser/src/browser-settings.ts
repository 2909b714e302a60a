import type { CommonSettings, LiveSettings } from '@tenon/server-kit'
import type { NetworkRules, Resolve } from '@tenon/server-kit/network'
import type { LaunchSettings } from './chromium/launch-settings.ts'

/** The settings of a browser server; each has a default. */
export interface BrowserSettings extends NetworkRules, LaunchSettings {
  /** Offers `puppeteer_evaluate`. It counts when the server is made. */
  readonly allowEvaluate?: boolean
  /** The folder for downloads; without it they are refused. */
  readonly downloads?: string | undefined
  /** Largest download, in bytes. Default: 100 MB. */
  readonly maxDownload?: number
  /** Tabs of one session. Default: 10. */
  readonly maxTabs?: number
  /** Sessions at the same time. Default: 8. */
  readonly maxSessions?: number
  /** A session that nobody uses for so long is closed, in milliseconds. Default: 15 minutes. */
  readonly idleTimeout?: number
  /** Longest time for a page to load, in milliseconds. Default: 30,000. */
  readonly timeout?: number
  /** Longest time to wait for an element, in milliseconds. Default: 5,000. */
  readonly actionTimeout?: number
}

/** The settings with defaults in the places of those that are missing. */
export type FullSettings = BrowserSettings & Defaults

type Defaults = Required<
  Pick<BrowserSettings, 'maxDownload' | 'maxTabs' | 'maxSessions' | 'idleTimeout' | 'timeout' | 'actionTimeout'>
>

export const defaults: Defaults = {
  maxDownload: 100_000_000,
  maxTabs: 10,
  maxSessions: 8,
  idleTimeout: 15 * 60_000,
  timeout: 30_000,
  actionTimeout: 5_000,
}

export const completeSettings = (settings: BrowserSettings): FullSettings => ({ ...defaults, ...settings })

export interface BrowserServerOptions extends BrowserSettings {
  /** Finds the addresses of a host. Default: the resolver of the system. */
  readonly resolve?: Resolve
  /** Settings that may change, in place of those above. */
  readonly settings?: LiveSettings<BrowserSettings & Pick<CommonSettings, 'readOnly' | 'confirm'>>
}
