import { changeLogins, type Login, readLogins } from '@tenon/host/store'
import type { OAuth, TokenDescription } from '@tenon/sdk/auth'
import type { CommandCall } from '../command.ts'
import { CommandFailure, ExitCode, usage } from '../exit.ts'
import { openServer } from '../server/connect.ts'
import type { connectionOptions } from '../server/options.ts'
import { resolveTarget } from '../server/target.ts'
import { table } from '../terminal/table.ts'
import { join, say, type TerminalText } from '../terminal/text.ts'
import { browserGrant, deviceGrant, offeredGrant } from './grants.ts'
import { oauthFor } from './oauth.ts'
import type { loginOptions } from './options.ts'
import { type TokenPlace, tokenPlace } from './token-store.ts'

type AuthCall = CommandCall<typeof connectionOptions & typeof loginOptions>

/** Logs in to a server, and keeps the tokens for every other command. */
export async function login(call: AuthCall, words: readonly string[]): Promise<void> {
  const { terminal, options } = call
  const server = await serverOf(call, words)
  const place = await tokenPlace(terminal.surroundings.env)
  const wanted = loginOf(call)
  const opens = terminal.canAsk && !options['no-browser']
  const grant = options.device ? deviceGrant(terminal) : browserGrant(terminal, opens)
  const auth = oauthFor(grant, wanted, place, terminal)
  if (options.again) await auth.forget(server)
  const { client } = await openServer(call, { auth }, words)
  await client.close()
  const about = await auth.describe(server)
  if (about) await changeLogins(place, (logins) => void logins.set(server.href, wanted))
  await call.result(shown(server, about), () => {
    if (about) terminal.line(say`Logged in to ${server.href}.`)
    else terminal.line(say`${server.href} does not ask for a login.`)
  })
}

function loginOf({ options }: AuthCall): Login {
  const { scope, 'client-id': clientId, 'client-secret-env': secretFrom } = options
  if (secretFrom !== undefined && clientId === undefined) throw usage('--client-secret-env needs --client-id')
  return {
    ...(clientId !== undefined && { clientId }),
    ...(secretFrom !== undefined && { secretFrom }),
    ...(scope.length > 0 && { scopes: scope }),
  }
}

/** Shows one login, or all. */
export async function status(call: AuthCall, words: readonly string[]): Promise<void> {
  const { terminal } = call
  const place = await tokenPlace(terminal.surroundings.env)
  if (words.length > 0) {
    const server = await serverOf(call, words)
    const about = await (await keptAuth(call, server, place)).describe(server)
    const failure = about
      ? undefined
      : new CommandFailure(ExitCode.Unauthorized, 'unauthorized', `There is no login for ${server.href}`)
    if (failure) terminal.note(say`${failure.message}`)
    await call.result(
      shown(server, about),
      () => about && terminal.print(rows([[server, about]], terminal.columns)),
      failure,
    )
    return
  }
  const known: [URL, TokenDescription][] = []
  for (const url of (await readLogins(place)).keys()) {
    const server = new URL(url)
    const about = await (await keptAuth(call, server, place)).describe(server)
    if (about) known.push([server, about])
  }
  const all = known.map(([server, about]) => shown(server, about))
  await call.result(all, () => {
    if (known.length === 0) terminal.note(say`There are no logins.`)
    terminal.print(rows(known, terminal.columns))
  })
}

/** Takes a login back, at the authorization server and here. */
export async function logout(call: AuthCall, words: readonly string[]): Promise<void> {
  const { terminal } = call
  const server = await serverOf(call, words)
  const place = await tokenPlace(terminal.surroundings.env)
  const auth = await keptAuth(call, server, place)
  const about = await auth.describe(server)
  if (about === undefined) {
    const message = `There is no login for ${server.href}`
    throw new CommandFailure(ExitCode.Unauthorized, 'unauthorized', message)
  }
  // The tokens are deleted here even if the authorization server cannot revoke them.
  const revoked = await auth.revoke(server).catch(() => false)
  await changeLogins(place, (logins) => void logins.delete(server.href))
  await call.result({ server: server.href, revoked }, () => {
    terminal.line(say`Logged out of ${server.href}.`)
    if (!revoked) terminal.note(say`${about.issuer} could not be told: the tokens end by themselves.`)
  })
}

async function keptAuth({ terminal, signal }: AuthCall, server: URL, place: TokenPlace): Promise<OAuth> {
  const login = (await readLogins(place)).get(server.href) ?? {}
  // Showing a login needs no secret.
  const { secretFrom, ...rest } = login
  const isThere = secretFrom !== undefined && terminal.surroundings.env[secretFrom] !== undefined
  return oauthFor(offeredGrant(terminal, signal), isThere ? login : rest, place, terminal)
}

async function serverOf(call: AuthCall, words: readonly string[]): Promise<URL> {
  const { url } = await resolveTarget(call, words)
  if (url) return url
  throw usage('Programs have no login: expected a URL or a configured server with one')
}

const shown = (server: URL, about: TokenDescription | undefined): { [member: string]: unknown } => ({
  server: server.href,
  loggedIn: about !== undefined,
  ...(about && {
    issuer: about.issuer,
    scopes: about.scopes,
    clientId: about.clientId,
    ...(about.renewAt !== undefined && { expires: new Date(about.renewAt).toISOString() }),
    renewable: about.renewable,
  }),
})

const rows = (known: readonly [URL, TokenDescription][], columns: number): TerminalText =>
  join(
    known.map(([server, { issuer, scopes, renewAt, renewable }]) =>
      table(
        [
          ['server', server.href],
          ['issuer', issuer],
          ['scopes', scopes.join(' ') || 'none in particular'],
          [
            'expires',
            `${renewAt === undefined ? 'not told' : new Date(renewAt).toISOString()}${renewable ? ', renewed by itself' : ''}`,
          ],
        ],
        columns,
      ),
    ),
    '\n',
  )
