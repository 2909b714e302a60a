import { monotonicMs } from '../internal/monotonic-ms.ts'

/** The findings of an earlier connection to a server, to be tried first. */
interface Verdict {
  /** The method that opened the conversation. */
  opening?: string
  /** True if the server speaks the HTTP+SSE transport of 2024-11-05. */
  eventStream?: boolean
}

// Servers are updated: findings expire.
const ttlMs = 60 * 60 * 1_000
const maxEntries = 1_000

const verdicts = new Map<string, { verdict: Verdict; until: number }>()

const keyOf = (url: URL): string => url.origin + url.pathname

export function verdictFor(url: URL): Verdict {
  const known = verdicts.get(keyOf(url))
  return known !== undefined && known.until > monotonicMs() ? known.verdict : {}
}

export function remember(url: URL, verdict: Verdict): void {
  const key = keyOf(url)
  const merged = { ...verdictFor(url), ...verdict }
  verdicts.delete(key)
  verdicts.set(key, { verdict: merged, until: monotonicMs() + ttlMs })
  if (verdicts.size > maxEntries) verdicts.delete(verdicts.keys().next().value!)
}

/** Forgets the findings about a server, or about all. */
export function forgetServers(url?: string | URL): void {
  if (url === undefined) verdicts.clear()
  else verdicts.delete(keyOf(new URL(url)))
}
