import type { IncomingMessage } from 'node:http'
import { ToolError } from '@tenon/sdk/server'
import { allowedAddresses, type NetworkPolicy, type Resolve } from '@tenon/server-kit/network'
import { httpGet } from './http-get.ts'
import type { DownloadLimits } from './limits.ts'
import type { HttpProxy } from './proxy.ts'

/** The way into the network: rules, names, proxy. */
export interface Network {
  readonly policy: NetworkPolicy
  readonly resolve: Resolve
  readonly proxy: HttpProxy | undefined
}

/** The end of the way: a response, or an answer that `before` had at hand. */
export type Arrived<T> =
  | { readonly url: URL; readonly response: IncomingMessage }
  | { readonly url: URL; readonly answer: T }

export interface FollowOptions<T> {
  network: Network
  limits: DownloadLimits
  signal: AbortSignal
  /** Runs before each request, the first one and every redirect: gives its headers, or an answer in place of it. */
  before(url: URL): Promise<{ headers: { [name: string]: string } } | { answer: T }>
}

const redirects = new Set([301, 302, 303, 307, 308])

/**
 * Requests a URL and every redirect that it leads to. Each of them is checked as the first one is: scheme, port, host,
 * addresses. Resolves before the body of the last response is read.
 */
export async function follow<T = never>(start: URL, options: FollowOptions<T>): Promise<Arrived<T>> {
  const { network, limits, signal } = options
  let url = start
  for (let count = 0; count <= limits.maxRedirects; count++) {
    network.policy.checkUrl(url)
    const prepared = await options.before(url)
    if ('answer' in prepared) return { url, answer: prepared.answer }
    const { headers } = prepared
    const addresses = await race(findAddresses(url, network), signal)
    const { connectTimeoutMs } = limits
    const response = await httpGet({ url, headers, addresses, proxy: network.proxy, connectTimeoutMs, signal })
    const next = redirectOf(url, response)
    if (next === undefined) return { url, response }
    response.destroy()
    url = next
  }
  throw new ToolError(`Failed to fetch ${start.href}: more than ${limits.maxRedirects} redirects`)
}

/** Behind a proxy names may be unknown here. Those that are known are checked all the same. */
async function findAddresses(url: URL, { policy, resolve, proxy }: Network): ReturnType<typeof allowedAddresses> {
  if (proxy === undefined) return allowedAddresses(url, resolve, policy)
  return allowedAddresses(url, (host) => resolve(host).catch(() => [{ address: '', family: 0 }]), {
    checkUrl: policy.checkUrl.bind(policy),
    checkAddresses: (from, addresses) => policy.checkAddresses(from, addresses.filter(Boolean)),
  })
}

function redirectOf(url: URL, { statusCode = 0, headers: { location } }: IncomingMessage): URL | undefined {
  if (!redirects.has(statusCode) || location === undefined) return undefined
  if (!URL.canParse(location, url)) throw new ToolError(`Failed to fetch ${url.href}: it redirects to no valid URL`)
  return new URL(location, url)
}

/** Name servers cannot be interrupted, but nobody has to wait for them. */
function race<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = (): void => reject(signal.reason)
    if (signal.aborted) return end()
    signal.addEventListener('abort', end, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', end))
  })
}
