import { isIP } from 'node:net'
import { ToolError } from '@tenon/sdk/server'
import { badPorts } from './bad-ports.ts'
import { isPublicAddress, readNetwork } from './public-address.ts'

/** The places that a server may reach. Without any of them: every public host, on every port but those of other protocols. */
export interface NetworkRules {
  /** If not empty, only these hosts: `example.com`, `*.example.com` (and all below it), each with `:port` or without. */
  allowHost?: readonly string[]
  /** Hosts and networks that may be private: `localhost:3000`, `*.corp.example`, `10.1.0.0/16`, `127.0.0.1`. */
  allowPrivate?: readonly string[]
  /** Every address may be private, as with the flag of the original. */
  allowPrivateIps?: boolean
  /** If not empty, only these ports. */
  allowPort?: readonly number[]
}

/** Decides where a request may go: first by its URL, then by every address that its host has. */
export interface NetworkPolicy {
  /** Throws a `ToolError` unless scheme, host and port are allowed. */
  checkUrl(url: URL): void
  /** Throws a `ToolError` unless every address is. */
  checkAddresses(url: URL, addresses: readonly string[]): void
}

export function networkPolicy(rules: NetworkRules): NetworkPolicy {
  const allowed = (rules.allowHost ?? []).map(readHost)
  const exceptions = (rules.allowPrivate ?? []).map(readException)
  const mayBePrivate = (url: URL, address: string): boolean =>
    rules.allowPrivateIps === true || exceptions.some((exception) => exception(url, address))
  return {
    checkUrl(url) {
      checkScheme(url)
      if (allowed.length > 0 && !allowed.some((matches) => matches(url))) {
        throw new ToolError(
          `Refused to fetch ${url.href}: ${url.host} is not among the hosts that this server may fetch (--allow-host). Use another source, or ask the user to allow it.`,
        )
      }
      checkPort(url, rules.allowPort ?? [])
      const literal = bareHost(url)
      if (isIP(literal) !== 0) this.checkAddresses(url, [literal])
    },
    checkAddresses(url, addresses) {
      const wrong = addresses.find((address) => !isPublicAddress(address) && !mayBePrivate(url, address))
      if (wrong === undefined) return
      throw new ToolError(
        `Refused to fetch ${url.href}: ${url.hostname} is at ${wrong}, which is not a public address. If that is intended, the operator can start the server with --allow-private ${url.host}.`,
      )
    },
  }
}

/** The host without the brackets of IPv6. */
export const bareHost = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, '$1')

export const portOf = (url: URL): number => Number(url.port || (url.protocol === 'https:' ? 443 : 80))

function checkScheme(url: URL): void {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new ToolError(`Refused to fetch ${shorten(url.href)}: expected an http or https URL, got ${url.protocol}`)
  }
  if (url.username !== '' || url.password !== '') {
    throw new ToolError(`Refused to fetch ${url.origin}: expected a URL without user name and password`)
  }
}

function checkPort(url: URL, allowed: readonly number[]): void {
  const port = portOf(url)
  const fine = allowed.length > 0 ? allowed.includes(port) : !badPorts.has(port)
  if (fine) return
  const expected = allowed.length > 0 ? `port ${allowed.join(' or ')} (--allow-port)` : 'a port that web servers use'
  throw new ToolError(`Refused to fetch ${url.href}: expected ${expected}, got ${port}`)
}

const shorten = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}…` : text)

/** Reads a host pattern. A pattern that can match nothing throws, so that a typing mistake does not go unnoticed. */
function readHost(pattern: string): (url: URL) => boolean {
  const [, wild, host = '', port] = /^(\*\.)?(\[[\da-fA-F:.]+\]|[^\s/:*@?#[\]]+)(?::(\d{1,5}))?$/.exec(pattern) ?? []
  const parsed = URL.canParse(`http://${host}/`) ? new URL(`http://${host}/`) : undefined
  if (host === '' || parsed === undefined) {
    throw new TypeError(
      `expected a host such as example.com, *.example.com or localhost:3000, got ${JSON.stringify(pattern)}`,
    )
  }
  const name = withoutDot(parsed.hostname)
  return (url) => {
    if (port !== undefined && Number(port) !== portOf(url)) return false
    const candidate = withoutDot(url.hostname)
    return candidate === name || (wild !== undefined && candidate.endsWith(`.${name}`))
  }
}

function readException(pattern: string): (url: URL, address: string) => boolean {
  const network = readNetwork(pattern)
  if (network !== undefined) return (_url, address) => network(address)
  return readHost(pattern)
}

const withoutDot = (host: string): string => host.replace(/\.$/, '')
