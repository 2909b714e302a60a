import type { IncomingMessage } from 'node:http'
import type { Keyring } from '../../vault/keyring.ts'

/** Values that a browser keeps for the gateway, and can neither read nor change nor use for something else. */
export class SealedCookies {
  readonly #keyring: Keyring
  readonly #isSecure: boolean
  readonly #port: string
  readonly #now: () => number

  constructor(keyring: Keyring, base: URL, now: () => number) {
    this.#keyring = keyring
    this.#isSecure = base.protocol === 'https:'
    this.#port = base.port
    this.#now = now
  }

  read<Value>(request: IncomingMessage, name: string): Value | undefined {
    const cookie = this.#nameOf(name)
    const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim())
    const values = pairs.flatMap((pair) => (pair.startsWith(`${cookie}=`) ? [pair.slice(cookie.length + 1)] : []))
    // Two of the same name: another site of this domain has set one.
    if (values.length !== 1) return undefined
    const [key = '', text = ''] = values[0]!.split('.')
    const plain = this.#keyring.open({ key, text }, ['cookie', name])
    if (plain === undefined) return undefined
    const { value, until } = JSON.parse(plain) as { value: Value; until: number }
    return until > this.#now() ? value : undefined
  }

  /** The header that sets it. */
  set(name: string, value: unknown, lifeMs: number): string {
    const { key, text } = this.#keyring.seal(JSON.stringify({ value, until: this.#now() + lifeMs }), ['cookie', name])
    return this.#line(name, `${key}.${text}`, Math.floor(lifeMs / 1_000))
  }

  clear(name: string): string {
    return this.#line(name, '', 0)
  }

  #line(name: string, value: string, maxAgeS: number): string {
    const secure = this.#isSecure ? '; Secure' : ''
    return `${this.#nameOf(name)}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAgeS}${secure}`
  }

  /** Without TLS browsers refuse the prefix; then it is this machine, where several gateways differ in their port. */
  #nameOf(name: string): string {
    return this.#isSecure ? `__Host-tenon-${name}` : `tenon-${name}-${this.#port}`
  }
}
