import { authorizationCode, loopbackRedirect, type OAuth, oauth } from '@tenon/sdk/auth'
import type { ConnectOptions } from '@tenon/sdk/client'
import type { UrlSpec } from '../protocol.ts'
import type { Questions } from '../questions/questions.ts'

/** Obtains tokens for a server that asks for them; the page shows where the person has to agree. */
export class Authorization {
  readonly #oauth: OAuth
  #waiting = new AbortController()

  constructor(server: string, spec: UrlSpec, questions: Questions, warn: (message: string) => void) {
    const { clientId, clientSecret, scopes } = typeof spec.oauth === 'object' ? spec.oauth : {}
    // The person opens the page: a server must not be able to open one by itself.
    const openBrowser = (page: URL): void => {
      this.#waiting.abort()
      this.#waiting = new AbortController()
      questions.ask({ kind: 'authorization', server, url: page.href }, this.#waiting.signal).catch(() => {})
    }
    this.#oauth = oauth({
      grant: authorizationCode({ redirect: loopbackRedirect({ openBrowser }) }),
      registration: { client_name: 'Tenon Workbench' },
      onWarning: warn,
      ...(clientId !== undefined && {
        client: { id: clientId, ...(clientSecret !== undefined && { secret: clientSecret }) },
      }),
      ...(scopes !== undefined && { scopes }),
    })
  }

  get options(): ConnectOptions {
    return { auth: this.#oauth }
  }

  /** The person came back, or nobody waits any more: the question is settled. */
  settled(): void {
    this.#waiting.abort()
  }

  forget(url: string): Promise<void> {
    return this.#oauth.forget(url)
  }
}
