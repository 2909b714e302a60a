import type { SecretPlace } from '@tenon/host/store'
import {
  authorizationCode,
  loopbackRedirect,
  memoryStore,
  type OAuth,
  oauth,
  type Redirect,
  type RedirectReceiver,
} from '@tenon/sdk/auth'
import { type ConnectOptions, type HttpEvent, McpError } from '@tenon/sdk/client'
import { throttle } from '../events/throttle.ts'
import { RequestProblem } from '../problem.ts'
import type { AuthorizationView, UrlSpec } from '../protocol.ts'
import type { Questions } from '../questions/questions.ts'
import { OwnStore } from './own-store.ts'
import { forgetLogin, sharedLogins } from './shared-logins.ts'
import { Tracer } from './tracer.ts'

/** People who go step by step read on the way. */
const patienceMs = 30 * 60_000
const tellMs = 25

/** The parts of the workbench that an authorization uses. */
interface AuthorizationNeeds {
  questions: Questions
  warn(message: string): void
  /** The person does not want to sign in. */
  refused(): void
  changed(view: AuthorizationView): void
  /** The store of tokens and registrations, shared with the command line; memory by default. */
  tokens?: SecretPlace
}

/** Obtains tokens for a server that asks for them; the page shows where the person has to agree, and everything on the way. */
export class Authorization {
  readonly #oauth: OAuth
  readonly #server: string
  readonly #url: string
  readonly #needs: AuthorizationNeeds
  readonly #store: OwnStore
  readonly #tracer: Tracer
  #token: AuthorizationView['token']
  #asking = new AbortController()
  #isRetired = false

  constructor(server: string, spec: UrlSpec, needs: AuthorizationNeeds) {
    this.#server = server
    this.#url = spec.url
    this.#needs = needs
    this.#store = new OwnStore(needs.tokens?.store ?? memoryStore())
    const { clientId, clientSecret, scopes } = typeof spec.oauth === 'object' ? spec.oauth : {}
    this.#oauth = oauth({
      grant: sharedLogins(authorizationCode({ redirect: this.#redirect() }), spec, needs.tokens),
      registration: { client_name: 'Tenon Workbench' },
      store: this.#store,
      ...(needs.tokens && { lock: needs.tokens.lock }),
      onWarning: needs.warn,
      onRequest: (request) => this.#tracer.sends(request),
      ...identityOf(clientId, clientSecret),
      ...(scopes !== undefined && { scopes }),
    })
    const about = { server: withoutCredentials(spec.url), ...(clientId !== undefined && { clientId }) }
    this.#tracer = new Tracer(about, this.#oauth, {
      // A step changes several times in a moment, and a person sees one of them.
      changed: throttle(tellMs, () => this.#tell()),
      // There may be another token now, or none.
      ended: () => void this.look().catch(() => {}),
    })
  }

  get view(): AuthorizationView {
    const { halting, flows } = this.#tracer
    return { halting, flows, ...(this.#token && { token: this.#token }) }
  }

  /** The options of a connection. The shown connection begins a new flow. */
  optionsFor(isShown: boolean): ConnectOptions {
    // Only over HTTP can a server ask for a token.
    if (isShown && this.#url.startsWith('http')) this.#tracer.begin()
    return { auth: this.#tracer.auth }
  }

  /** A step of an HTTP request of a connection. */
  readonly http = (event: HttpEvent): void => this.#tracer.http(event)

  halt(halting: boolean): void {
    this.#tracer.halt(halting)
  }

  next(): void {
    if (!this.#tracer.next()) throw new RequestProblem('Nothing waits to go on')
  }

  async look(): Promise<void> {
    const known = await this.#oauth.describe(this.#url)
    if (known === undefined) this.#token = undefined
    else {
      const { resource, renewAt, scopes, ...rest } = known
      this.#token = {
        ...rest,
        scopes: [...scopes],
        ...(resource !== undefined && { resource }),
        ...(renewAt !== undefined && { renewAt }),
      }
    }
    this.#tell()
  }

  /** Revokes the token. It is forgotten here even if the authorization server cannot be reached. */
  async signOut(): Promise<void> {
    await this.#tracer.signOut(() => this.#oauth.revoke(this.#url)).catch((error) => this.#needs.warn(String(error)))
    await forgetLogin(this.#url, this.#needs.tokens)
    await this.look()
  }

  async startOver(): Promise<void> {
    await this.#oauth.forget(this.#url)
    await forgetLogin(this.#url, this.#needs.tokens)
    await this.#store.giveUp()
    this.#tracer.clear()
    await this.look()
  }

  /** Another one takes its place: its pending requests no longer concern the server. */
  retire(): void {
    this.#isRetired = true
  }

  #tell(): void {
    if (!this.#isRetired) this.#needs.changed(this.view)
  }

  /** The person opens the page: a server must not be able to open one by itself. */
  #redirect(): Redirect {
    const loopback = loopbackRedirect({
      openBrowser: (page) => this.#ask(page),
      onStray: (url) => this.#tracer.stray(url),
      timeoutMs: patienceMs,
    })
    return async (preferred) => {
      const receiver: RedirectReceiver = await loopback(preferred)
      return {
        uri: receiver.uri,
        visit: (page, signal) => this.#visit(receiver, page, signal),
        close: () => receiver.close(),
      }
    }
  }

  async #visit(receiver: RedirectReceiver, page: URL, signal: AbortSignal): Promise<URL> {
    await this.#tracer.visits(page, signal)
    const refused = new AbortController()
    this.#refuse = () => refused.abort()
    try {
      const back = await receiver.visit(page, AbortSignal.any([signal, refused.signal]))
      this.#tracer.cameBack(back)
      return back
    } catch (error) {
      if (refused.signal.aborted) throw new McpError('unauthorized', 'You did not want to sign in')
      throw error
    } finally {
      this.#asking.abort()
    }
  }

  #refuse = (): void => {}

  #ask(page: URL): void {
    this.#asking.abort()
    this.#asking = new AbortController()
    const question = { kind: 'authorization' as const, server: this.#server, url: page.href }
    this.#needs.questions.ask(question, this.#asking.signal).then(
      () => {
        this.#needs.refused()
        this.#refuse()
      },
      // The person came back, or the flow was cancelled.
      () => {},
    )
  }
}

function withoutCredentials(url: string): URL {
  const shown = new URL(url)
  shown.username = ''
  shown.password = ''
  return shown
}

/** A client id that is an address is one of a document about the client. */
function identityOf(id: string | undefined, secret: string | undefined) {
  if (id === undefined) return {}
  const isDocument = secret === undefined && /^https:\/\/[^/]+\/./.test(id)
  return isDocument ? { clientMetadataUrl: id } : { client: { id, ...(secret !== undefined && { secret }) } }
}
