import { base64url } from 'jose'
import { McpError } from '../../../errors.ts'
import { monotonicMs } from '../../../internal/monotonic-ms.ts'

const lifetimeMs = 5 * 60_000
const algorithm = { name: 'HMAC', hash: 'SHA-256' }
const encoder = new TextEncoder()

/** Nonces for proofs (RFC 9449 section 9) that need no memory: a time, and a signature of it. */
export class Nonces {
  readonly #key: Promise<CryptoKey>
  readonly #now: () => number

  /** Servers that answer for each other share a secret. Default: a random one. */
  constructor(secret?: string | Uint8Array) {
    const bytes = secret === undefined ? crypto.getRandomValues(new Uint8Array(32)) : bytesOf(secret)
    if (bytes.length < 32) throw new McpError('invalid_definition', 'dpop.nonces.secret: expected 32 bytes or more')
    // Servers that share a secret have only the wall clock in common.
    this.#now = secret === undefined ? monotonicMs : Date.now
    this.#key = crypto.subtle.importKey('raw', bytes as BufferSource, algorithm, false, ['sign', 'verify'])
  }

  async current(): Promise<string> {
    const period = this.#period().toString(36)
    const signature = await crypto.subtle.sign('HMAC', await this.#key, encoder.encode(period))
    return `${period}.${base64url.encode(new Uint8Array(signature))}`
  }

  /** Whether a nonce is of this period or of the last one. */
  async accepts(nonce: string): Promise<boolean> {
    const [, period, signature] = /^([0-9a-z]{1,12})\.([\w-]{43})$/.exec(nonce) ?? []
    if (period === undefined) return false
    const age = this.#period() - Number.parseInt(period, 36)
    if (age !== 0 && age !== 1) return false
    // The comparison of `verify` takes the same time for every signature.
    return crypto.subtle.verify(
      'HMAC',
      await this.#key,
      base64url.decode(signature!) as BufferSource,
      encoder.encode(period),
    )
  }

  #period(): number {
    return Math.floor(this.#now() / lifetimeMs)
  }
}

const bytesOf = (secret: string | Uint8Array): Uint8Array =>
  typeof secret === 'string' ? encoder.encode(secret) : secret
