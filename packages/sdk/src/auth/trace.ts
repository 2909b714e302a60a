/** One step of the search for an authorization server. */
export interface TraceEntry {
  url: string
  /** The HTTP status, if there was an answer. */
  status?: number
  /** The outcome in words. */
  outcome: string
}

/** The requests in order, with their outcomes. Holds addresses and statuses, never credentials. */
export class Trace {
  readonly entries: TraceEntry[] = []

  add(url: string, outcome: string, status?: number): void {
    this.entries.push({ url, outcome, ...(status !== undefined && { status }) })
  }

  toString(): string {
    return this.entries
      .map(({ url, status, outcome }) => `  ${url}${status === undefined ? '' : ` (HTTP ${status})`}: ${outcome}`)
      .join('\n')
  }
}
