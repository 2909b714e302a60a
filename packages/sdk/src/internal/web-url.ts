/** True for URLs that a browser may open: `javascript:` and `file:` URLs are attacks, not pages. */
export const isWebUrl = (text: string): boolean =>
  URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol)

const thisMachine: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** True for a page that no one on the network can read or change. */
export function isPrivateWebUrl(text: string): boolean {
  if (!isWebUrl(text)) return false
  const { protocol, hostname } = new URL(text)
  return protocol === 'https:' || thisMachine.has(hostname)
}
