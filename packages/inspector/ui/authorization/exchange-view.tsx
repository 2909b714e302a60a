import { type JSX, useState } from 'react'
import type { AuthorizationExchange } from '../../src/protocol.ts'
import { duration } from '../content/format.ts'
import { JsonTree } from '../content/json-tree.tsx'
import { visible, visibleLine } from '../content/visible.ts'

/** A request and its reply; the details are closed, except while the request waits. */
export function ExchangeView({ exchange }: { exchange: AuthorizationExchange }): JSX.Element {
  const { method, url, state, status, outcome, error, durationMs } = exchange
  const [chosen, choose] = useState<boolean>()
  const shown = chosen ?? state === 'held'
  return (
    <details
      className="exchange"
      data-state={state}
      open={shown}
      onToggle={(event) => event.currentTarget.open !== shown && choose(event.currentTarget.open)}
    >
      <summary>
        <span className="mono exchange-line">
          <strong>{method}</strong> {visibleLine(url)}
        </span>
        {state === 'held' && <span className="badge accent">not sent yet</span>}
        {state === 'sent' && <span className="badge">sent</span>}
        {status !== undefined && <span className={`badge ${colourOf(exchange)}`}>HTTP {status}</span>}
        {outcome !== undefined && <span className="small">{visible(outcome)}</span>}
        {durationMs !== undefined && <span className="small muted">{duration(durationMs)}</span>}
      </summary>
      {error !== undefined && <p className="issue">{visible(error)}</p>}
      {shown && <ExchangeParts exchange={exchange} />}
    </details>
  )
}

/** A refusal that asks for a token, and a place without a document, are nothing to worry about. */
function colourOf({ status = 0, outcome }: AuthorizationExchange): string {
  if (status < 400) return 'ok'
  return outcome === undefined || outcome === 'nothing here' ? '' : 'warn'
}

function ExchangeParts({ exchange }: { exchange: AuthorizationExchange }): JSX.Element {
  const { headers, body, replyHeaders, reply, repliedFrom } = exchange
  return (
    <div className="exchange-parts">
      <section aria-label="Request">
        <h3>{exchange.state === 'held' ? 'Next request' : 'Request'}</h3>
        <HeaderLines headers={headers} />
        {body !== undefined && <Body value={body} />}
      </section>
      {replyHeaders !== undefined && (
        <section aria-label="Reply">
          <h3>Reply</h3>
          {repliedFrom !== undefined && <p className="small">from {visibleLine(repliedFrom)}</p>}
          <HeaderLines headers={replyHeaders} />
          {reply !== undefined && <Body value={reply} />}
        </section>
      )}
    </div>
  )
}

const HeaderLines = ({ headers }: { headers: { [name: string]: string } }): JSX.Element => (
  <pre className="header-lines">
    {Object.entries(headers)
      .map(([name, value]) => `${visibleLine(name)}: ${visibleLine(value)}`)
      .join('\n')}
  </pre>
)

const Body = ({ value }: { value: unknown }): JSX.Element =>
  typeof value === 'string' ? <pre className="reply-text">{visible(value)}</pre> : <JsonTree value={value} open={3} />
