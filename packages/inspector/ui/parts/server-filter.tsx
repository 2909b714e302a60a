import { type JSX, useMemo } from 'react'
import { visible } from '../content/visible.ts'
import { useBench } from '../state/store.ts'

interface Props {
  only: string | undefined
  choose: (id: string | undefined) => void
  /** Names in the place of the servers of the workbench, for lists that know only those. */
  names?: readonly string[]
}

/** Which server's items are listed. With one server there is nothing to choose. */
export function ServerFilter({ only, choose, names }: Props): JSX.Element | null {
  const servers = useBench((bench) => bench.servers)
  const options = useMemo(
    () =>
      names === undefined
        ? servers.map(({ id, spec }) => ({ id, name: spec.name }))
        : [...new Set(names)].map((name) => ({ id: name, name })),
    [servers, names],
  )
  // Whether they are connected or not: the list must not move when they are.
  if (options.length < 2) return null
  return (
    <select
      className="select server-filter"
      aria-label="Server"
      value={only ?? ''}
      onChange={(event) => choose(event.target.value || undefined)}
    >
      <option value="">All servers</option>
      {options.map(({ id, name }) => (
        <option key={id} value={id}>
          {visible(name)}
        </option>
      ))}
    </select>
  )
}
