import { type Difference, differences } from '@tenon/replay/json'
import type { JsonObject } from '@tenon/sdk/client'
import { type JSX, useMemo } from 'react'
import { visible } from '../content/visible.ts'
import { ColumnHeads } from '../parts/column-heads.tsx'

const maxDifferences = 200
const maxText = 500

/** The differences between two answers, place by place. */
export function AnswerDifferences({ left, right }: { left: JsonObject; right: JsonObject }): JSX.Element {
  const found = useMemo(
    () => differences(bare(left), bare(right), { limit: maxDifferences, exact: true }),
    [left, right],
  )
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
      <DifferenceTable label="Differences" sides={['Left', 'Right']} found={found} />
    </div>
  )
}

/** An answer without the members that differ in every revision. */
function bare(result: JsonObject): JsonObject {
  const { _meta: _, resultType: __, ttlMs: ___, cacheScope: ____, ...rest } = result
  return rest
}

interface TableProps {
  label: string
  /** The names of the two values. */
  sides: [before: string, after: string]
  found: readonly Difference[]
}

/** Places, and their values on either side. */
export function DifferenceTable({ label, sides, found }: TableProps): JSX.Element {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable by keyboard.
    <section className="table-scroll" aria-label={label} tabIndex={0}>
      <table className="differences">
        <ColumnHeads names={['Place', ...sides]} />
        <tbody>
          {found.map(({ path, before, after }) => (
            <tr key={path}>
              <th scope="row" className="mono">
                {visible(path || '(all of it)')}
              </th>
              <td className="left">
                <Value value={before} />
              </td>
              <td className="right">
                <Value value={after} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Value({ value }: { value: unknown }): JSX.Element {
  if (value === undefined) return <span className="muted">nothing</span>
  const text = JSON.stringify(value)
  return <code>{visible(text.length > maxText ? `${text.slice(0, maxText)}…` : text)}</code>
}
