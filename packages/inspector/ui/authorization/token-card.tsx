import type { JSX } from 'react'
import type { AuthorizationToken } from '../../src/protocol.ts'
import { visible, visibleLine } from '../content/visible.ts'

/** Which token there is, without the token, and how to be rid of it. */
export function TokenCard(props: {
  token: AuthorizationToken | undefined
  busy: boolean
  signOut: () => void
  startOver: () => void
}): JSX.Element {
  const { token, busy, signOut, startOver } = props
  return (
    <section className="card token-card" aria-label="Token">
      <header>
        <h2>{token === undefined ? 'Not signed in' : 'Signed in'}</h2>
        <span className="small muted grow">Starting over also forgets the registration.</span>
        {token !== undefined && (
          <button type="button" className="button small" disabled={busy} onClick={signOut}>
            Sign out
          </button>
        )}
        <button type="button" className="button small quiet" disabled={busy} onClick={startOver}>
          Start over
        </button>
      </header>
      {token !== undefined && <TokenFacts token={token} />}
    </section>
  )
}

function TokenFacts({ token }: { token: AuthorizationToken }): JSX.Element {
  const { issuer, resource, scopes, clientId, renewAt, renewable } = token
  return (
    <dl className="facts body">
      <dt>Issued by</dt>
      <dd className="mono">{visibleLine(issuer)}</dd>
      <dt>For</dt>
      <dd className="mono">{visibleLine(resource ?? 'no particular server')}</dd>
      <dt>Asked for</dt>
      <dd className="mono">{scopes.length === 0 ? 'no scope in particular' : visible(scopes.join(' '))}</dd>
      <dt>Client</dt>
      <dd className="mono">{visibleLine(clientId)}</dd>
      <dt>Renewed</dt>
      <dd>
        {renewAt === undefined ? 'when the server refuses it' : `at ${new Date(renewAt).toLocaleTimeString()}`}
        {renewable ? ', without asking you' : ', by asking you again'}
      </dd>
    </dl>
  )
}
