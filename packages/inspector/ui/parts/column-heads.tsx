import type { JSX } from 'react'

/** The first row of a table: what its columns are. */
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
