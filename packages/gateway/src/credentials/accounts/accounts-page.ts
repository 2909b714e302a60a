import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isMcpError } from '@tenon/sdk/client'
import type { RequestTarget } from '@tenon/sdk/node'
import type { GatewayCaller } from '../../model.ts'
import type { AccountState, Accounts } from './accounts.ts'
import { type Markup, markup, page, type Reply, redirect } from './html.ts'
import type { SealedCookies } from './sealed-cookies.ts'
import type { SignInFlow, SignIns } from './sign-ins.ts'

/** A request to the page. */
export interface PageRequest {
  readonly method: string
  readonly target: RequestTarget
  readonly raw: IncomingMessage
  readonly form: URLSearchParams
}

/** A browser in which somebody signed in. */
interface Session {
  readonly caller: GatewayCaller
  /** Proves that a form is of this browser. */
  readonly ticket: string
  /** The browser does not have it yet. */
  readonly isNew?: boolean
}

interface PageOptions {
  readonly base: URL
  readonly accounts: ReadonlyMap<string, Accounts>
  readonly cookies: SealedCookies
  readonly signIns: SignIns | undefined
  /** The caller of the connection: a certificate, or this machine. `refused` if it claims what it must not. */
  readonly connectedCaller: (request: IncomingMessage) => GatewayCaller | 'refused' | undefined
  /** The caller of an API key; undefined if no keys are used. */
  readonly keyCaller: ((key: string) => GatewayCaller | undefined) | undefined
  readonly onError: (error: unknown) => void
}

const sessionMs = 60 * 60_000
const signInMs = 10 * 60_000

/** The page on which people connect and disconnect their accounts. Nobody sees or changes those of others. */
export class AccountsPage {
  readonly #options: PageOptions

  constructor(options: PageOptions) {
    this.#options = options
  }

  async answer(request: PageRequest): Promise<Reply> {
    const { base, onError } = this.#options
    // DNS rebinding: another name for this address is another site.
    if (request.raw.headers.host !== base.host) return problem(403, 'This page has another address.')
    if (request.method === 'POST' && request.raw.headers.origin !== base.origin) {
      return problem(403, 'This form comes from another site.')
    }
    try {
      return await this.#route(request)
    } catch (error) {
      onError(error)
      if (isMcpError(error) && error.code === 'unauthorized') return problem(403, error.message)
      return problem(502, 'Something failed. Try again later.')
    }
  }

  #route(request: PageRequest): Promise<Reply> | Reply {
    const { method, target } = request
    const route = `${method} ${target.path}`
    if (route === 'GET /accounts') return this.#show(request)
    if (route === 'GET /accounts/sign-in') return this.#signIn(new URLSearchParams(target.query).get('connect'))
    if (route === 'GET /accounts/signed-in') return this.#signedIn(request)
    if (route === 'POST /accounts/key') return this.#useKey(request)
    if (route === 'POST /accounts/sign-out') return redirect('/accounts', [this.#options.cookies.clear('session')])
    if (route === 'POST /accounts/connect') return this.#connect(request)
    if (route === 'POST /accounts/disconnect') return this.#disconnect(request)
    if (method === 'GET' && target.path.startsWith('/accounts/callback/')) return this.#callback(request)
    return problem(404, 'There is nothing here.')
  }

  // Signing in

  #sessionOf({ raw }: PageRequest): Session | 'refused' | undefined {
    const { cookies, connectedCaller } = this.#options
    const kept = cookies.read<Session>(raw, 'session')
    const connected = connectedCaller(raw)
    if (connected === 'refused') return 'refused'
    // The connection says who it is, on every request; the cookie adds the ticket.
    if (connected === undefined) return kept
    return kept?.caller.id === connected.id ? kept : { ...newSession(connected), isNew: true }
  }

  async #signIn(connect: string | null): Promise<Reply> {
    const { signIns, accounts, cookies } = this.#options
    if (signIns === undefined) return problem(404, 'There is no provider to sign in at.')
    const wanted = connect !== null && accounts.has(connect) ? connect : undefined
    const { page: location, flow } = await signIns.begin(wanted)
    return redirect(location.href, [cookies.set('sign-in', flow, signInMs)])
  }

  async #signedIn({ raw, target }: PageRequest): Promise<Reply> {
    const { signIns, cookies } = this.#options
    const flow = cookies.read<SignInFlow>(raw, 'sign-in')
    if (signIns === undefined || flow === undefined)
      return problem(403, 'Nobody was sent to sign in from this browser.')
    const caller = await signIns.finish(new URLSearchParams(target.query), flow)
    const kept = [cookies.set('session', newSession(caller), sessionMs), cookies.clear('sign-in')]
    return redirect(pathOf(flow.connect), kept)
  }

  #useKey({ form }: PageRequest): Reply {
    const { keyCaller, cookies } = this.#options
    const caller = keyCaller?.(form.get('key') ?? '')
    if (caller === undefined) return problem(403, 'This key is unknown, or has expired.')
    return redirect(pathOf(form.get('connect') || undefined), [cookies.set('session', newSession(caller), sessionMs)])
  }

  #welcome(connect: string | undefined): Reply {
    const { signIns, keyCaller } = this.#options
    if (signIns === undefined && keyCaller === undefined) return problem(403, 'Nobody can sign in here.')
    const query = connect === undefined ? '' : `?connect=${encodeURIComponent(connect)}`
    const button = markup`<p><a class="button primary" href="/accounts/sign-in${query}">Sign in</a></p>`
    const form = markup`<form method="post" action="/accounts/key"><input type="hidden" name="connect" value="${connect ?? ''}">
<label>API key <input type="password" name="key" autocomplete="off" required></label>
<button>Use this key</button></form>`
    return page({
      title: 'Your accounts',
      body: markup`<p>Sign in to see which of your accounts the gateway may use.</p>
${signIns && button}${keyCaller && form}`,
    })
  }

  // Accounts

  async #show(request: PageRequest): Promise<Reply> {
    const { accounts, cookies } = this.#options
    const asked = new URLSearchParams(request.target.query).get('connect') ?? undefined
    const wanted = asked !== undefined && accounts.has(asked) ? asked : undefined
    const session = this.#sessionOf(request)
    if (session === 'refused') return problem(403, 'This connection may not name a certificate.')
    if (session === undefined) return this.#welcome(wanted)
    const states = await Promise.all([...accounts.values()].map((one) => one.stateOf(session.caller)))
    states.sort((one, other) => Number(other.upstream === wanted) - Number(one.upstream === wanted))
    const { caller, ticket } = session
    const name = caller.name === undefined ? caller.id : `${caller.name} (${caller.id})`
    const rows = states.map((state) => row(state, ticket, state.upstream === wanted))
    return page({
      title: 'Your accounts',
      // A session does not grow older by being used, so that somebody who may not sign in any more is out in time.
      ...(session.isNew && { cookies: [cookies.set('session', { caller, ticket }, sessionMs)] }),
      body: markup`<p class="soft">You are ${name}.</p>
<p>The gateway uses a connected account only for your own requests.</p>
<ul>${rows}</ul>
<form method="post" action="/accounts/sign-out"><button>Sign out</button></form>`,
    })
  }

  async #connect(request: PageRequest): Promise<Reply> {
    const found = this.#submitted(request)
    if ('status' in found) return found
    const location = await found.account.begin(found.caller)
    return page({
      title: `On to ${location.host}`,
      continueTo: location.href,
      body: markup`<p>You agree there, and come back here.</p>
<p><a class="button primary" href="${location.href}" rel="noreferrer">Continue</a></p>`,
    })
  }

  async #disconnect(request: PageRequest): Promise<Reply> {
    const found = this.#submitted(request)
    if ('status' in found) return found
    await found.account.disconnect(found.caller)
    return redirect('/accounts')
  }

  /** The flow is looked up by the person who is signed in: the way back of somebody else is not found. */
  async #callback(request: PageRequest): Promise<Reply> {
    const { path, query } = request.target
    const account = this.#options.accounts.get(decodeURIComponent(path.slice('/accounts/callback/'.length)))
    const session = this.#sessionOf(request)
    if (account === undefined || session === undefined || session === 'refused') {
      return problem(403, 'Nobody is signed in here who began this.')
    }
    await account.finish(session.caller, new URLSearchParams(query))
    return redirect('/accounts')
  }

  /** The person and the account of a form. */
  #submitted(request: PageRequest): { caller: GatewayCaller; account: Accounts } | Reply {
    const session = this.#sessionOf(request)
    const account = this.#options.accounts.get(request.form.get('upstream') ?? '')
    if (session === undefined || session === 'refused' || !isSame(session.ticket, request.form.get('ticket') ?? '')) {
      return problem(403, 'This form is not of this browser, or is too old. Open the page again.')
    }
    return account === undefined ? problem(404, 'There is no such account.') : { caller: session.caller, account }
  }
}

/** The claims stay in the token: a cookie has little room. */
const newSession = ({ id, kind, name, issuer }: GatewayCaller): Session => ({
  caller: {
    id,
    kind,
    ...(name !== undefined && { name }),
    ...(issuer !== undefined && { issuer }),
    scopes: [],
    groups: [],
    claims: {},
  },
  ticket: randomBytes(32).toString('base64url'),
})

const isSame = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))

const pathOf = (connect: string | undefined): string =>
  connect === undefined ? '/accounts' : `/accounts?connect=${encodeURIComponent(connect)}`

const problem = (status: number, message: string): Reply =>
  page({
    title: 'This did not work',
    status,
    body: markup`<p>${message}</p><p><a class="button" href="/accounts">Your accounts</a></p>`,
  })

const words = new Map([
  ['connected', markup`<p class="good">Connected</p>`],
  ['ended', markup`<p class="warn">Has to be connected again</p>`],
  ['absent', markup`<p class="soft">Not connected</p>`],
])

function row({ upstream, title, status }: AccountState, ticket: string, isWanted: boolean): Markup {
  const form = (action: string, label: string, style: string): Markup =>
    markup`<form method="post" action="/accounts/${action}"><input type="hidden" name="ticket" value="${ticket}">
<input type="hidden" name="upstream" value="${upstream}"><button class="${style}">${label}</button></form>`
  const connect = status === 'connected' ? undefined : form('connect', 'Connect', 'primary')
  const disconnect = status === 'absent' ? undefined : form('disconnect', 'Disconnect', '')
  const note =
    isWanted && status !== 'connected' ? markup`<p>A request of yours waits for this account.</p>` : undefined
  return markup`<li><div><h2>${title}</h2>${words.get(status)}${note}</div><div class="actions">${connect}${disconnect}</div></li>
`
}
