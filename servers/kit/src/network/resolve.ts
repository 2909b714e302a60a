import { promises as dns, type LookupAddress } from 'node:dns'
import { isIP } from 'node:net'
import { ToolError } from '@tenon/sdk/server'
import { bareHost, type NetworkPolicy } from './network-policy.ts'

/** Finds every address of a host. */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>

export const systemResolve: Resolve = (host) => dns.lookup(host, { all: true, verbatim: true })

/**
 * The addresses of a URL's host, each of them checked. The connection goes to these: a second answer of the name server,
 * which may differ, is never asked for.
 */
export async function allowedAddresses(url: URL, resolve: Resolve, policy: NetworkPolicy): Promise<LookupAddress[]> {
  policy.checkUrl(url)
  const host = bareHost(url)
  const family = isIP(host)
  if (family !== 0) return [{ address: host, family }]
  const found = await resolveName(url, host, resolve)
  policy.checkAddresses(
    url,
    found.map(({ address }) => address),
  )
  return found
}

async function resolveName(url: URL, host: string, resolve: Resolve): Promise<LookupAddress[]> {
  let found: readonly LookupAddress[]
  try {
    found = await resolve(host)
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    throw new ToolError(`Failed to fetch ${url.href}: the host ${host} was not found (${code}). Check its spelling.`)
  }
  if (found.length === 0) throw new ToolError(`Failed to fetch ${url.href}: the host ${host} has no address`)
  return [...found]
}
