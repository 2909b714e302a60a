import { ToolError } from '@tenon/sdk/server'
import { decodeText } from './charset.ts'
import { follow, type Network } from './follow.ts'
import type { DownloadLimits } from './limits.ts'
import { readBody } from './read-body.ts'
import { maxRobotsBytes, type RobotsRules, readRobots } from './robots.ts'

const keptMs = 3_600_000
const maxSites = 1_000

type Verdict = RobotsRules | { refusal: string }

interface Access {
  userAgent: string
  network: Network
  limits: DownloadLimits
  signal: AbortSignal
}

/** Asks robots.txt of every site before a page of it is fetched. */
export class RobotsGuard {
  readonly #sites = new Map<string, { until: number; verdict: Verdict }>()

  /** Throws a `ToolError` if the site does not want the page to be fetched by programs. */
  async check(url: URL, access: Access): Promise<void> {
    const key = `${url.origin} ${access.userAgent}`
    const known = this.#sites.get(key)
    const verdict =
      known !== undefined && Date.now() < known.until ? known.verdict : this.#keep(key, await ask(url, access))
    if (typeof verdict !== 'function') throw new ToolError(verdict.refusal)
    if (verdict(url.pathname + url.search)) return
    throw new ToolError(
      `The robots.txt of the site (${robotsUrl(url)}) does not allow programs to fetch ${url.href}. Tell the user that the page was not read. They can open it themselves, or the operator can start the server with --ignore-robots-txt.`,
    )
  }

  clear(): void {
    this.#sites.clear()
  }

  #keep(key: string, verdict: Verdict): Verdict {
    this.#sites.delete(key)
    // A site that could not be asked is asked again by the next call.
    if (typeof verdict === 'function') this.#sites.set(key, { until: Date.now() + keptMs, verdict })
    if (this.#sites.size > maxSites) this.#sites.delete(this.#sites.keys().next().value!)
    return verdict
  }
}

const robotsUrl = (url: URL): URL => new URL('/robots.txt', url)

async function ask(url: URL, { userAgent, network, limits, signal }: Access): Promise<Verdict> {
  const address = robotsUrl(url)
  const arrived = await follow(address, {
    network,
    limits,
    signal,
    before: async () => ({ headers: { 'user-agent': userAgent, accept: 'text/plain, */*;q=0.1' } }),
  })
  const { response } = arrived as Extract<typeof arrived, { response: unknown }>
  const status = response.statusCode ?? 0
  if (status >= 200 && status < 300) {
    const { bytes } = await readBody(response, { maxBytes: maxRobotsBytes, signal })
    return readRobots(decodeText(bytes, 'text/plain; charset=utf-8').text, userAgent)
  }
  response.destroy()
  if (status === 401 || status === 403 || status < 400 || status >= 500) {
    return {
      refusal: `Refused to fetch ${url.href}: ${address.href} answered with status ${status}, so the site may not want programs to read it. Try later, or the operator can start the server with --ignore-robots-txt.`,
    }
  }
  return () => true
}
