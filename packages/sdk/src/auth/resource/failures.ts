import type { IncomingMessage } from 'node:http'
import type { HttpRequest } from '../../http-server/request.ts'
import { reachOfHost } from '../address.ts'

/** How many bad tokens an address may send. */
export interface FailureOptions {
  /** Per window. Default 100. */
  max?: number
  /** Default 60 s. */
  windowMs?: number
  /**
   * Who is asking, where a proxy knows better than the connection. Default: the peer of the connection, if that is an
   * address of the internet; others are proxies more often than clients, and then all clients would share one limit.
   */
  address?: (request: HttpRequest) => string | undefined
}

interface Count {
  failures: number
  endsAt: number
}

const maxAddresses = 10_000

/** Counts failures by address: guessing tokens gets slow, and checking them cannot be used to keep the server busy. */
export class Failures {
  readonly #max: number
  readonly #windowMs: number
  readonly #addressOf: (request: HttpRequest) => string | undefined
  readonly #counts = new Map<string, Count>()

  constructor({ max = 100, windowMs = 60_000, address = peerOf }: FailureOptions = {}) {
    this.#max = max
    this.#windowMs = windowMs
    this.#addressOf = address
  }

  get size(): number {
    return this.#counts.size
  }

  addressOf(request: HttpRequest): string | undefined {
    const address = this.#addressOf(request)
    return address === undefined ? undefined : network(address)
  }

  /** How long an address has to wait; 0 if it need not. */
  waitMs(address: string | undefined): number {
    const count = address === undefined ? undefined : this.#counts.get(address)
    if (count === undefined || count.failures < this.#max) return 0
    return Math.max(0, count.endsAt - Date.now())
  }

  add(address: string | undefined): void {
    if (address === undefined) return
    const now = Date.now()
    const count = this.#counts.get(address)
    if (count !== undefined && count.endsAt > now) {
      count.failures += 1
      return
    }
    this.#counts.delete(address)
    this.#counts.set(address, { failures: 1, endsAt: now + this.#windowMs })
    // The oldest window is the one that ends first.
    if (this.#counts.size > maxAddresses) this.#counts.delete(this.#counts.keys().next().value!)
  }
}

function peerOf({ raw }: HttpRequest): string | undefined {
  const address = (raw as Partial<IncomingMessage>).socket?.remoteAddress
  return address !== undefined && reachOfHost(address) === 'public' ? address : undefined
}

/** Whoever has one address of IPv6 has a whole /64 of them. */
function network(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  if (mapped !== null) return mapped[1]!
  if (!address.includes(':')) return address.slice(0, 64)
  const [head = '', tail] = address.split('::')
  const groups = head.split(':')
  const filled = tail === undefined ? groups : [...groups, ...new Array<string>(8).fill('0')]
  return `${filled.slice(0, 4).join(':')}::/64`.slice(0, 64)
}
