import { type Ending, ExpiringMap } from './expiring-map.ts'
import { OAuthRefusal } from './responses.ts'

/** Limits of requests within a minute. */
export interface RateLimitOptions {
  /** By one address, at one endpoint. Default 300. */
  perAddress?: number
  /** By one client, at one endpoint, for all its users. Default 1,200. */
  perClient?: number
  /** Registrations by one address. Default 20. */
  registrations?: number
  /** The address of the client, if a proxy knows it. Default: the peer of the connection. */
  address?: (request: Request) => string | undefined
}

interface Window extends Ending {
  count: number
}

const windowMs = 60_000
const maxWindows = 20_000

/** Counts requests in bounded memory, and answers 429 above the limits. */
export class RequestLimits {
  readonly #options: RateLimitOptions | false
  readonly #now: () => number
  readonly #windows: ExpiringMap<Window>

  constructor(options: RateLimitOptions | false, now: () => number) {
    this.#options = options
    this.#now = now
    this.#windows = new ExpiringMap(maxWindows, now)
  }

  addressOf(request: Request, peer: string | undefined): string | undefined {
    const { address } = this.#options || {}
    return address === undefined ? peer : address(request)
  }

  countAddress(endpoint: string, address: string | undefined): void {
    if (this.#options === false || address === undefined) return
    const { perAddress = 300, registrations = 20 } = this.#options
    this.#count(`${endpoint} from ${networkKey(address)}`, endpoint === 'register' ? registrations : perAddress)
  }

  /** Before a secret is looked at: guessing gets slow, from however many addresses it comes. */
  countClient(endpoint: string, clientId: string): void {
    if (this.#options === false) return
    this.#count(`${endpoint} by ${clientId}`, this.#options.perClient ?? 1_200)
  }

  #count(key: string, max: number): void {
    const window = this.#windows.get(key) ?? this.#open(key)
    window.count += 1
    if (window.count <= max) return
    const seconds = Math.ceil((window.expiresAt - this.#now()) / 1_000)
    throw new OAuthRefusal('temporarily_unavailable', 'Too many requests', 429, { 'retry-after': String(seconds) })
  }

  #open(key: string): Window {
    const window = { count: 0, expiresAt: this.#now() + windowMs }
    this.#windows.set(key, window)
    return window
  }
}

/** An IPv4 address, or the /64 of an IPv6 address, because a client there has all of its addresses. */
export function networkKey(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
  if (!plain.includes(':')) return plain.slice(0, 64)
  const zeros = '0:'.repeat(Math.max(1, 9 - plain.split(':').length))
  return `${plain.replace('::', `:${zeros}`).split(':', 4).join(':')}::/64`.slice(0, 64)
}
