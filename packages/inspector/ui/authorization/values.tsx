import type { JSX } from 'react'
import type { AuthorizationFact } from '../../src/protocol.ts'
import { JsonTree } from '../content/json-tree.tsx'
import { visible, visibleLine } from '../content/visible.ts'

/** Names and values, each with its meaning. */
export function Facts({ facts }: { facts: readonly AuthorizationFact[] }): JSX.Element | null {
  if (facts.length === 0) return null
  return (
    <dl className="auth-facts">
      {facts.map(({ name, value, meaning }, index) => (
        // A server may say the same name twice.
        // biome-ignore lint/suspicious/noArrayIndexKey: the list is replaced as a whole.
        <div key={index}>
          <dt className="mono">{visibleLine(name)}</dt>
          <dd>
            <Value value={value} />
            {meaning !== undefined && <span className="muted auth-meaning">{visible(meaning)}</span>}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Value({ value }: { value: unknown }): JSX.Element {
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) {
    return <span className="mono">{visibleLine(value.join(', '))}</span>
  }
  if (typeof value === 'object' && value !== null) return <JsonTree value={value} open={1} />
  return <span className="mono">{visibleLine(String(value))}</span>
}

const times: ReadonlySet<string> = new Set(['exp', 'iat', 'nbf', 'auth_time'])

const claimMeanings: ReadonlyMap<string, string> = new Map([
  ['iss', 'who issued it'],
  ['sub', 'whom it stands for'],
  ['aud', 'who may take it'],
  ['client_id', 'who asked for it'],
  ['scope', 'its permissions'],
  ['jti', 'its number'],
  ['cnf', 'the key that it is bound to'],
])

/** The claims of a token; times as people read them. */
export function Claims({ claims }: { claims: { [claim: string]: unknown } }): JSX.Element {
  const facts = Object.entries(claims).map(([name, value]) => {
    const meaning = times.has(name) ? dateOf(value) : claimMeanings.get(name)
    return { name, value, ...(meaning !== undefined && { meaning }) }
  })
  return (
    <section className="stack" aria-label="Claims of the token">
      <h3>Claims of the token</h3>
      <Facts facts={facts} />
    </section>
  )
}

function dateOf(seconds: unknown): string | undefined {
  const date = typeof seconds === 'number' ? new Date(seconds * 1_000) : undefined
  return date === undefined || Number.isNaN(date.getTime()) ? undefined : date.toLocaleString()
}
