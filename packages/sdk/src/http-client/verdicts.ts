import { monotonicMs } from '../internal/monotonic-ms.ts'

/** The findings of an earlier connection to a server, to be tried first. */
interface Verdict {
  /** The method that opened the conversation. */
  opening?: string
  /** True if the server speaks the HTTP+SSE transport of 2024-11-05. */
  eventStream?: boolean
  /** True if the server said that it can ask its client only in a session. */
  asksInSession?: boolean
}

// Servers are updated: findings expire.
const ttlMs = 60 * 60 * 1_000
const maxEntries = 1_000

const verdicts = new Map<string, { verdict: Verdict; until: number }>()

/** A URL, or the command of a process. */
type Server = URL | string

const keyOf = (server: Server): string => (typeof server === 'string' ? server : server.origin + server.pathname)

export function verdictFor(server: Server): Verdict {
  const known = verdicts.get(keyOf(server))
  return known !== undefined && known.until > monotonicMs() ? known.verdict : {}
}

export function remember(server: Server, verdict: Verdict): void {
  const key = keyOf(server)
  const merged = { ...verdictFor(server), ...verdict }
  verdicts.delete(key)
  verdicts.set(key, { verdict: merged, until: monotonicMs() + ttlMs })
  if (verdicts.size > maxEntries) verdicts.delete(verdicts.keys().next().value!)
}

/** Forgets the findings about a server, or about all. */
export function forgetServers(url?: string | URL): void {
  if (url === undefined) verdicts.clear()
  else verdicts.delete(keyOf(new URL(url)))
}
