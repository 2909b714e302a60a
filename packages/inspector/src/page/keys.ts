import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

const newSecret = (): string => randomBytes(32).toString('base64url')
const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
const isSame = (given: string, secret: Buffer): boolean => timingSafeEqual(digest(given), secret)

const maxBrowsers = 16

/** The credentials of a browser that came with a link. */
interface Admission {
  /** The header `Set-Cookie`. */
  cookie: string
  /** Sent by the page with each command. */
  key: string
}

/**
 * Decides who may use the page: a link works once, and the browser that came with it is known from then on.
 *
 * Browsers send the cookie of a host to all its ports, so another server on this machine may get to see it. The page therefore
 * has a key as well, which it keeps where only its own origin, port included, can read it.
 */
export class Keys {
  readonly #cookie: string
  /** Digests, so that finding one takes as long as not finding one. */
  #links: Buffer[] = []
  #browsers: { cookie: Buffer; key: Buffer }[] = []

  constructor(port: number) {
    this.#cookie = `tenon-${port}`
  }

  /** A token for a link that works once. */
  newToken(): string {
    const token = newSecret()
    this.#links = [...this.#links, digest(token)].slice(-maxBrowsers)
    return token
  }

  /** Exchanges the token of a link; undefined if the link was used before, or never given out. */
  exchange(token: string): Admission | undefined {
    const found = this.#links.findIndex((link) => isSame(token, link))
    if (found === -1) return undefined
    this.#links.splice(found, 1)
    const [secret, key] = [newSecret(), newSecret()]
    this.#browsers = [...this.#browsers, { cookie: digest(secret), key: digest(key) }].slice(-maxBrowsers)
    return { cookie: `${this.#cookie}=${secret}; HttpOnly; SameSite=Strict; Path=/`, key }
  }

  /** Whether a request has the cookie of a browser that came with a link. */
  knows(cookies: string | undefined): boolean {
    return this.#browserOf(cookies) !== undefined
  }

  /** Whether it has the key of that browser's page too. */
  opens(cookies: string | undefined, key: unknown): boolean {
    const browser = this.#browserOf(cookies)
    return browser !== undefined && typeof key === 'string' && isSame(key, browser.key)
  }

  #browserOf(cookies: string | undefined): { key: Buffer } | undefined {
    const given = cookies
      ?.split(';')
      .map((pair) => pair.trim())
      .find((pair) => pair.startsWith(`${this.#cookie}=`))
      ?.slice(this.#cookie.length + 1)
    return given === undefined ? undefined : this.#browsers.find(({ cookie }) => isSame(given, cookie))
  }
}
