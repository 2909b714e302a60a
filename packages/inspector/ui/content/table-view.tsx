import { type JSX, useState } from 'react'
import { writeExact } from '../../src/exact-json.ts'
import { visible } from './visible.ts'

const firstShown = 100

/** The rows of a value that can be shown as a table: objects whose members are mostly simple. */
export function tableOf(value: unknown): { [name: string]: unknown }[] | undefined {
  if (!Array.isArray(value) || value.length < 2) return undefined
  const isRow = (row: unknown): boolean => typeof row === 'object' && row !== null && !Array.isArray(row)
  return value.every(isRow) ? value : undefined
}

/** Objects with equal members, one per line. */
export function TableView({ rows }: { rows: { [name: string]: unknown }[] }): JSX.Element {
  const [limit, setLimit] = useState(firstShown)
  const names = [...new Set(rows.slice(0, 1_000).flatMap((row) => Object.keys(row)))].slice(0, 50)
  return (
    <div className="table-scroll">
      <table>
        <thead>
          <tr>
            {names.map((name) => (
              <th key={name} scope="col">
                {visible(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, limit).map((row, index) => (
            <tr key={String(index)}>
              {names.map((name) => (
                <td key={name}>{cellText(row[name])}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > limit && (
        <button type="button" className="button small" onClick={() => setLimit(limit * 10)}>
          {rows.length - limit} more rows
        </button>
      )}
    </div>
  )
}

function cellText(value: unknown): string {
  if (value === undefined) return ''
  return visible(typeof value === 'string' ? value : writeExact(value))
}
