import type { JSX } from 'react'

/** The header row of a table. */
export function ColumnHeads({ names }: { names: readonly string[] }): JSX.Element {
  return (
    <thead>
      <tr>
        {names.map((name) => (
          <th key={name} scope="col">
            {name}
          </th>
        ))}
      </tr>
    </thead>
  )
}
