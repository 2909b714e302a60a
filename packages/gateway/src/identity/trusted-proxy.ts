import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'
import type { GatewayCaller } from '../model.ts'
import { addNetwork, type ProxyConfig } from './config.ts'

/** The part of a request that tells a proxy from a client. */
type ProxiedRequest = Pick<IncomingMessage, 'rawHeaders'> & {
  readonly socket?: { readonly remoteAddress?: string | undefined } | undefined
}

/** A name that is short, and has no characters that change how it is read. */
const plainName = /^[\x20-\x7e]{1,500}$/

/**
 * Reads the client certificate that a proxy verified. Only the proxy may name one: the same header from any other address is
 * refused, and so is a second one, which a client may have sent through a proxy that adds and does not replace.
 */
export class TrustedProxy {
  readonly #config: ProxyConfig
  readonly #addresses = new BlockList()

  constructor(config: ProxyConfig) {
    this.#config = config
    for (const address of config.addresses) addNetwork(this.#addresses, address)
  }

  /** Undefined if the request names no certificate, `refused` if it must not. */
  callerOf(request: ProxiedRequest): GatewayCaller | 'refused' | undefined {
    const { header, verified, scopes = [], groups = [] } = this.#config
    const names = valuesOf(request, header)
    const verdicts = verified === undefined ? [] : valuesOf(request, verified.header)
    if (names.length === 0 && verdicts.length === 0) return undefined
    if (!this.#isProxy(request) || names.length > 1 || verdicts.length > 1) return 'refused'
    // The proxy says that there was no certificate, or none that it trusts.
    if (verified !== undefined && verdicts[0] !== verified.value) return undefined
    const name = names[0]?.trim() ?? ''
    if (name === '') return undefined
    return plainName.test(name)
      ? { id: `cert:${name}`, kind: 'certificate', name, scopes, groups, claims: {} }
      : 'refused'
  }

  #isProxy({ socket }: ProxiedRequest): boolean {
    const address = socket?.remoteAddress?.replace(/^::ffff:(?=\d+\.)/i, '')
    if (address === undefined || isIP(address) === 0) return false
    return this.#addresses.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
  }
}

/** Every line of a header. Node would join them, or keep one. */
export function valuesOf({ rawHeaders }: ProxiedRequest, name: string): string[] {
  const wanted = name.toLowerCase()
  return rawHeaders.flatMap((text, index) =>
    index % 2 === 0 && text.toLowerCase() === wanted ? [rawHeaders[index + 1] ?? ''] : [],
  )
}
