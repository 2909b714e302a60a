/** Bounds of one request. */
export interface DownloadLimits {
  /** Longest body, after decompression; the rest is not read. */
  maxBytes: number
  /** Longest time for everything: names, robots.txt, redirects, body. */
  timeoutMs: number
  /** Longest time until a connection stands. */
  connectTimeoutMs: number
  maxRedirects: number
}

export const defaultLimits: DownloadLimits = {
  maxBytes: 10_000_000,
  timeoutMs: 30_000,
  connectTimeoutMs: 10_000,
  maxRedirects: 5,
}
