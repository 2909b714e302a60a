import { ToolError } from '@tenon/sdk/server'
import type { CommonSettings, LiveSettings } from '@tenon/server-kit'
import { type NetworkRules, networkPolicy, type Resolve, systemResolve } from '@tenon/server-kit/network'
import type { DownloaderSettings } from './network/downloader.ts'
import { defaultLimits } from './network/limits.ts'
import { readProxy } from './network/proxy.ts'

/** The settings of a fetch server; each has a default. */
export interface FetchSettings extends NetworkRules {
  /** Sent with every request, and matched with robots.txt by its first word. */
  userAgent?: string | undefined
  ignoreRobotsTxt?: boolean
  /** Longest document, after decompression; the rest is not read. Default: 10 MB. */
  maxBytes?: number
  /** Longest time for one document, in milliseconds. Default: 30,000. */
  timeout?: number
  /** Longest time until a connection stands, in milliseconds. Default: 10,000. */
  connectTimeout?: number
  /** Longest time to make Markdown of a page, in milliseconds; then its text is read in a simpler way. Default: 5,000. */
  readTimeout?: number
  /** Default: 5. */
  maxRedirects?: number
  /** An HTTP proxy, which resolves names in place of this program. */
  proxyUrl?: string | undefined
}

export interface FetchServerOptions extends FetchSettings {
  /** Finds the addresses of a host. Default: the resolver of the system. */
  resolve?: Resolve
  /** Settings that may change, in place of those above. */
  settings?: LiveSettings<FetchSettings & Pick<CommonSettings, 'readOnly' | 'confirm'>>
}

/** Makes rules of settings; a wrong host, network or proxy throws a `TypeError` that names it. */
export function downloaderSettings(settings: FetchSettings, resolve: Resolve = systemResolve): DownloaderSettings {
  const { proxyUrl, ignoreRobotsTxt = false } = settings
  return {
    network: {
      policy: networkPolicy(settings),
      resolve,
      proxy: proxyUrl === undefined ? undefined : readProxy(proxyUrl),
    },
    limits: {
      maxBytes: settings.maxBytes ?? defaultLimits.maxBytes,
      timeoutMs: settings.timeout ?? defaultLimits.timeoutMs,
      connectTimeoutMs: settings.connectTimeout ?? defaultLimits.connectTimeoutMs,
      maxRedirects: settings.maxRedirects ?? defaultLimits.maxRedirects,
    },
    ignoreRobots: ignoreRobotsTxt,
  }
}

/** The same first word as the original's, so that rules of sites for it hold for this server too. */
export const userAgents = {
  tool: 'ModelContextProtocol/1.0 (Autonomous; +https://github.com/tenon-mcp/tenon)',
  prompt: 'ModelContextProtocol/1.0 (User-Specified; +https://github.com/tenon-mcp/tenon)',
} as const

export function readUrl(text: string): URL {
  if (URL.canParse(text)) return new URL(text)
  throw new ToolError(`expected a URL such as https://example.com/page, got ${JSON.stringify(text.slice(0, 200))}`)
}
