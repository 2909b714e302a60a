import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

const newSecret = (): string => randomBytes(32).toString('base64url')
const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
const isSame = (given: string, secret: Buffer): boolean => timingSafeEqual(digest(given), secret)

const maxBrowsers = 16

/** Who may use the page: whoever was given a link, once, and the browser that came with it from then on. */
export class Keys {
  readonly #cookie: string
  /** Digests, so that finding one takes as long as not finding one. */
  #links: Buffer[] = []
  #browsers: Buffer[] = []

  constructor(port: number) {
    // Browsers keep one jar for all ports of a host, so the name says which one this is for.
    this.#cookie = `tenon-${port}`
  }

  /** A token for a link that works once. */
  newToken(): string {
    const token = newSecret()
    this.#links = [...this.#links, digest(token)].slice(-maxBrowsers)
    return token
  }

  /** Exchanges the token of a link for a cookie; undefined if the link was used before, or never given out. */
  exchange(token: string): string | undefined {
    const found = this.#links.findIndex((link) => isSame(token, link))
    if (found === -1) return undefined
    this.#links.splice(found, 1)
    const secret = newSecret()
    this.#browsers = [...this.#browsers, digest(secret)].slice(-maxBrowsers)
    return `${this.#cookie}=${secret}; HttpOnly; SameSite=Strict; Path=/`
  }

  /** Whether a request has the cookie of a browser that came with a link. */
  knows(cookies: string | undefined): boolean {
    const given = cookies
      ?.split(';')
      .map((pair) => pair.trim())
      .find((pair) => pair.startsWith(`${this.#cookie}=`))
      ?.slice(this.#cookie.length + 1)
    return given !== undefined && this.#browsers.some((browser) => isSame(given, browser))
  }
}
