import type { JsonObject } from '@tenon/sdk/client'
import { type JSX, useMemo } from 'react'
import { visible } from '../content/visible.ts'
import { bare, differences } from './differences.ts'

const maxText = 500

/** What differs between two answers, place by place. */
export function DifferenceTable({ left, right }: { left: JsonObject; right: JsonObject }): JSX.Element {
  const found = useMemo(() => differences(bare(left), bare(right)), [left, right])
  if (found.length === 0) {
    return (
      <div className="notice ok" role="status">
        <strong>Both answered the same</strong>
      </div>
    )
  }
  return (
    <div className="stack">
      <div className="row" role="status">
        <span className="badge warn">
          {found.length} {found.length === 1 ? 'difference' : 'differences'}
        </span>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keys. */}
      <section className="table-scroll" aria-label="Differences" tabIndex={0}>
        <table className="differences">
          <thead>
            <tr>
              <th scope="col">Where</th>
              <th scope="col">Left</th>
              <th scope="col">Right</th>
            </tr>
          </thead>
          <tbody>
            {found.map((difference) => (
              <tr key={difference.path}>
                <th scope="row" className="mono">
                  {visible(difference.path || '(all of it)')}
                </th>
                <td className="left">
                  <Value value={difference.left} />
                </td>
                <td className="right">
                  <Value value={difference.right} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  )
}

function Value({ value }: { value: unknown }): JSX.Element {
  if (value === undefined) return <span className="muted">nothing</span>
  const text = JSON.stringify(value)
  return <code>{visible(text.length > maxText ? `${text.slice(0, maxText)}…` : text)}</code>
}
