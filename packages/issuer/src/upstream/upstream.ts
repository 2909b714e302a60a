import { destinationOf } from '../clients/redirect-uris.ts'
import type { Core, Visit } from '../core.ts'
import { locationOf } from '../endpoints/authorization-response.ts'
import { newCode } from '../endpoints/consent.ts'
import { PageRefusal } from '../http/responses.ts'
import type { User } from '../options.ts'
import type { Html } from '../pages/html.ts'
import { continuePage } from '../pages/page.ts'
import type { AuthorizationRequest, Hop } from '../state/records.ts'
import { hashOf, newSecret, sameHash } from '../state/secrets.ts'
import { assertUser } from '../validate-options.ts'
import type { UpstreamClient } from './upstream-client.ts'

/** The tokens of the identity provider. Clients never see them. */
export interface UpstreamTokens {
  accessToken: string
  refreshToken: string | undefined
  /** The id token as it came, for grants that start with it. */
  idToken: string | undefined
  /** The claims of the id token, if there is one. */
  claims: { readonly [claim: string]: unknown } | undefined
}

/** An identity provider at which users sign in, and at which this issuer is one client. */
export interface UpstreamOptions {
  issuer: string
  clientId: string
  clientSecret?: string
  /** Default: `openid`. */
  scopes?: readonly string[]
  /** For providers without metadata. */
  authorizationEndpoint?: string
  tokenEndpoint?: string
  /** The user of the tokens; undefined refuses them. Default: the subject of the id token. */
  user?: (tokens: UpstreamTokens) => User | undefined | Promise<User | undefined>
}

const hopTtlMs = 10 * 60_000

/** The way of a user through the identity provider: after they agreed here, and back to the same browser. */
export class UpstreamHop {
  readonly host: string
  readonly #options: UpstreamOptions
  readonly #load: () => Promise<UpstreamClient>
  #loading: Promise<UpstreamClient> | undefined

  constructor(options: UpstreamOptions, load: () => Promise<UpstreamClient>) {
    this.host = new URL(options.issuer).host
    this.#options = options
    this.#load = load
  }

  /** For the consent page (sec.deputy.ui-show-scopes). */
  asksFor(render: (scopes: readonly string[]) => Html): Html {
    return render(this.#options.scopes ?? ['openid'])
  }

  /** Called when the user has agreed, and not before (sec.deputy.state-after-consent). */
  async start(core: Core, request: AuthorizationRequest, browser: string): Promise<Response> {
    const client = await this.#client()
    const state = newSecret()
    const verifier = newSecret()
    const nonce = newSecret()
    const page = await client.page({ state, verifier, nonce, redirectUri: core.endpoints.url('callback') })
    await core.state.hops.set(await hashOf(state), {
      request,
      browser,
      verifier,
      nonce,
      expiresAt: core.now() + hopTtlMs,
    })
    return continuePage(this.host, 'You sign in there, and come back here.', page.href)
  }

  /** The user is back. */
  async finish(core: Core, { request: page, query }: Visit): Promise<Response> {
    const hop = await hopOf(core, page, query.get('state'))
    const answer = await this.#answer(core, hop, query)
    const location = locationOf(core, hop.request, answer)
    return continuePage(destinationOf(hop.request.redirectUri).host, 'You are done here.', location)
  }

  async #answer(core: Core, hop: Hop, query: URLSearchParams): Promise<{ [name: string]: string }> {
    try {
      const client = await this.#client()
      const tokens = await client.tokens(query, query.get('state')!, hop, core.endpoints.url('callback'))
      const user = await this.#userOf(tokens)
      if (user !== undefined) {
        assertUser(user, 'upstream.user')
        return { code: await newCode(core, hop.request, user) }
      }
    } catch (error) {
      core.options.onError?.(withoutCause(error))
      return { error: 'access_denied', error_description: 'The identity provider refused' }
    }
    return { error: 'access_denied', error_description: 'The user may not use this' }
  }

  /** One for all users: it caches the metadata of the provider. */
  #client(): Promise<UpstreamClient> {
    this.#loading ??= this.#load()
    return this.#loading
  }

  async #userOf(tokens: UpstreamTokens): Promise<User | undefined> {
    if (this.#options.user !== undefined) return this.#options.user(tokens)
    const { sub, name } = tokens.claims ?? {}
    if (typeof sub !== 'string') return undefined
    return { subject: sub, ...(typeof name === 'string' && { name }) }
  }
}

/** sec.deputy.state-validate, sec.deputy.state-single-use: the state is this browser's, and is used up. */
async function hopOf({ state, browser }: Core, request: Request, text: string | null): Promise<Hop> {
  const key = await hashOf(text ?? '')
  const cookie = await hashOf(browser.read(request) ?? '')
  const held = await state.hops.read(key)
  const isOwn = held !== undefined && sameHash(held.value.browser, cookie)
  if (!isOwn || !(await state.hops.delete(key, held.version))) {
    throw new PageRefusal(
      'This is not the way back of anybody who was sent to the identity provider from this browser.',
      403,
    )
  }
  return held.value
}

/** Causes hold codes and tokens. */
const withoutCause = (error: unknown): Error => new Error(`The identity provider: ${(error as Error).message}`)
