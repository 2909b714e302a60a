import { changeLogins, type SecretPlace } from '@tenon/host/store'
import {
  authorizationCode,
  type Grant,
  loopbackRedirect,
  type OAuth,
  oauth,
  type Redirect,
  type RedirectReceiver,
} from '@tenon/sdk/auth'
import type { ConnectOptions } from '@tenon/sdk/client'
import type { UrlSpec } from '../protocol.ts'
import type { Questions } from '../questions/questions.ts'

/** What the authorization of a server needs from around it. */
interface Needs {
  questions: Questions
  warn(message: string): void
  /** Where tokens are kept, for this workbench and the command line; in memory if nowhere. */
  tokens?: SecretPlace
  /** The person does not want to sign in. */
  refused(): void
}

/** Obtains tokens for a server that asks for them; the page shows where the person has to agree. */
export class Authorization {
  readonly #oauth: OAuth
  readonly #server: string
  readonly #needs: Needs
  #asking = new AbortController()

  constructor(server: string, spec: UrlSpec, needs: Needs) {
    this.#server = server
    this.#needs = needs
    const { clientId, clientSecret, scopes } = typeof spec.oauth === 'object' ? spec.oauth : {}
    const { store, lock } = needs.tokens ?? {}
    this.#oauth = oauth({
      grant: this.#grant(spec),
      ...(store && lock && { store, lock }),
      registration: { client_name: 'Tenon Workbench' },
      onWarning: needs.warn,
      ...(clientId !== undefined && {
        client: { id: clientId, ...(clientSecret !== undefined && { secret: clientSecret }) },
      }),
      ...(scopes !== undefined && { scopes }),
    })
  }

  get options(): ConnectOptions {
    return { auth: this.#oauth }
  }

  async forget(url: string): Promise<void> {
    await this.#oauth.forget(url)
    const { tokens } = this.#needs
    if (tokens) await changeLogins(tokens, (logins) => void logins.delete(new URL(url).href))
  }

  /** The command line lists who has logged in where, and renews what they got. */
  #grant({ url, oauth: given }: UrlSpec): Grant {
    const grant = authorizationCode({ redirect: this.#redirect() })
    const { tokens } = this.#needs
    if (tokens === undefined) return grant
    const { clientId, scopes } = typeof given === 'object' ? given : {}
    const login = { ...(clientId !== undefined && { clientId }), ...(scopes !== undefined && { scopes }) }
    const obtain: Grant['obtain'] = async (context) => {
      const obtained = await grant.obtain(context)
      await changeLogins(tokens, (logins) => void logins.set(new URL(url).href, login))
      return obtained
    }
    return { ...grant, obtain }
  }

  /** The person opens the page: a server must not be able to open one by itself. */
  #redirect(): Redirect {
    const loopback = loopbackRedirect({ openBrowser: (page) => this.#ask(page) })
    return async (preferred) => {
      const receiver: RedirectReceiver = await loopback(preferred)
      return {
        uri: receiver.uri,
        visit: (page, signal) => receiver.visit(page, signal).finally(() => this.#asking.abort()),
        close: () => receiver.close(),
      }
    }
  }

  #ask(page: URL): void {
    this.#asking.abort()
    this.#asking = new AbortController()
    const question = { kind: 'authorization' as const, server: this.#server, url: page.href }
    this.#needs.questions.ask(question, this.#asking.signal).then(
      () => this.#needs.refused(),
      // The person came back, or nobody waits any more.
      () => {},
    )
  }
}
