/** A browser as far as an issuer sees one: it keeps cookies, reads forms, and sends them back. */

export type Send = (request: Request) => Promise<Response>

/** The origin of a form that was sent is the one of its page, as browsers do it. */
export class Visitor {
  readonly cookies = new Map<string, string>()
  readonly #send: Send

  constructor(send: Send = (request) => fetch(request)) {
    this.#send = send
  }

  async open(url: string | URL): Promise<VisitedPage> {
    return new VisitedPage(this, String(url), await this.request(new Request(url, { redirect: 'manual' })))
  }

  async request(request: Request): Promise<Response> {
    if (this.cookies.size > 0) {
      request.headers.set('cookie', [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '))
    }
    const response = await this.#send(request)
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
      this.cookies.set(name!, value!)
    }
    return response
  }
}

export class VisitedPage {
  readonly response: Response
  readonly #visitor: Visitor
  readonly #url: string
  #text: string | undefined

  constructor(visitor: Visitor, url: string, response: Response) {
    this.#visitor = visitor
    this.#url = url
    this.response = response
  }

  get status(): number {
    return this.response.status
  }

  /** The URL that it leads on to by itself, by a redirect or as a page. */
  async goesTo(): Promise<URL> {
    const header = this.response.headers.get('location')
    return new URL(header ?? unescaped(/http-equiv="refresh" content="0;url=([^"]+)"/.exec(await this.text())![1]!))
  }

  /** The target of a redirect. */
  get location(): URL {
    return new URL(this.response.headers.get('location')!)
  }

  async text(): Promise<string> {
    this.#text ??= await this.response.text()
    return this.#text
  }

  /** The text without markup. */
  async words(): Promise<string> {
    const body = (await this.text()).split('<body>').at(-1)!
    return unescaped(body.replace(/<[^>]+>/g, ' '))
      .replace(/\s+/g, ' ')
      .trim()
  }

  /** The hidden fields, and the choice that is made already. */
  async fields(): Promise<{ [name: string]: string }> {
    const inputs = [...(await this.text()).matchAll(/<input ([^>]*)>/g)].map(([, attributes]) => attributes!)
    const set = inputs.filter((input) => input.includes('type="hidden"') || input.includes('checked'))
    return Object.fromEntries(set.map((input) => [attribute(input, 'name'), attribute(input, 'value')]))
  }

  async submit(answers: { [name: string]: string }, headers: { [name: string]: string } = {}): Promise<VisitedPage> {
    const action = attribute(/<form ([^>]*)>/.exec(await this.text())![1]!, 'action')
    const body = new URLSearchParams({ ...(await this.fields()), ...answers })
    const origin = new URL(this.#url).origin
    const request = new Request(action, { method: 'POST', body, redirect: 'manual', headers: { origin, ...headers } })
    return new VisitedPage(this.#visitor, action, await this.#visitor.request(request))
  }

  allow(answers: { [name: string]: string } = {}): Promise<VisitedPage> {
    return this.submit({ decision: 'allow', ...answers })
  }

  deny(): Promise<VisitedPage> {
    return this.submit({ decision: 'deny' })
  }
}

const attribute = (text: string, name: string): string =>
  unescaped(new RegExp(`(?:^| )${name}="([^"]*)"`).exec(text)?.[1] ?? '')

const unescaped = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
