/** A cookie of this browser and this issuer alone (sec.deputy.cookie-host-prefix, sec.deputy.cookie-attributes). */
export class BrowserCookie {
  readonly #name: string
  readonly #isSecure: boolean

  constructor(name: string, issuer: URL) {
    this.#isSecure = issuer.protocol === 'https:'
    // Without TLS browsers refuse the prefix; then it is this machine, where several issuers differ in their port.
    this.#name = this.#isSecure ? `__Host-${name}` : `${name}-${issuer.port}`
  }

  read(request: Request): string | undefined {
    const pairs = (request.headers.get('cookie') ?? '').split(';').map((pair) => pair.trim())
    const values = pairs.flatMap((pair) =>
      pair.startsWith(`${this.#name}=`) ? [pair.slice(this.#name.length + 1)] : [],
    )
    return values.length === 1 && /^[\w-]{43}$/.test(values[0]!) ? values[0] : undefined
  }

  set(response: Response, value: string): Response {
    const secure = this.#isSecure ? '; Secure' : ''
    response.headers.append('set-cookie', `${this.#name}=${value}; Path=/; HttpOnly; SameSite=Lax${secure}`)
    return response
  }

  clear(response: Response): Response {
    const secure = this.#isSecure ? '; Secure' : ''
    response.headers.append('set-cookie', `${this.#name}=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0${secure}`)
    return response
  }
}
