import { networkOf } from '../network.ts'
import { Windows } from '../windows.ts'
import { OAuthRefusal } from './answers.ts'

/** How often something may be asked for, within a minute. */
export interface RateLimitOptions {
  /** By one address, at one endpoint. Default 300. */
  perAddress?: number
  /** By one client, at one endpoint, for all its users. Default 1,200. */
  perClient?: number
  /** Registrations by one address. Default 20. */
  registrations?: number
  /** Who is asking, where a proxy knows better than the connection. Default: the peer of the connection. */
  address?: (request: Request) => string | undefined
}

const windowMs = 60_000
const maxWindows = 20_000

/** Counts requests, in bounded memory. Answers 429 to whoever asks too often. */
export class RateLimits {
  readonly #options: RateLimitOptions | false
  readonly #now: () => number
  readonly #windows = new Windows(windowMs, maxWindows)

  constructor(options: RateLimitOptions | false, now: () => number) {
    this.#options = options
    this.#now = now
  }

  addressOf(request: Request, peer: string | undefined): string | undefined {
    const { address } = this.#options || {}
    return address === undefined ? peer : address(request)
  }

  countAddress(endpoint: string, address: string | undefined): void {
    if (this.#options === false || address === undefined) return
    const { perAddress = 300, registrations = 20 } = this.#options
    this.#count(`${endpoint} from ${networkOf(address)}`, endpoint === 'register' ? registrations : perAddress)
  }

  /** Before a secret is looked at: guessing gets slow, from however many addresses it comes. */
  countClient(endpoint: string, clientId: string): void {
    if (this.#options === false) return
    this.#count(`${endpoint} by ${clientId}`, this.#options.perClient ?? 1_200)
  }

  #count(key: string, max: number): void {
    const { count, leftMs } = this.#windows.add(key, this.#now())
    if (count <= max) return
    const seconds = Math.ceil(leftMs / 1_000)
    throw new OAuthRefusal('temporarily_unavailable', 'Too many requests', 429, { 'retry-after': String(seconds) })
  }
}
