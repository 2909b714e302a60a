/**
 * Schemes that a page may use beside http and https: they have no network behind them. Everything else (`file:`,
 * `chrome:`, `view-source:`, `devtools:`, …) never passes through the proxy, and is stopped before it loads.
 */
const withoutNetwork: ReadonlySet<string> = new Set(['about:', 'blob:', 'data:'])

export const mayLoad = (url: URL): boolean =>
  url.protocol === 'http:' || url.protocol === 'https:' || withoutNetwork.has(url.protocol)
