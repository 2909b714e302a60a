import { type JSX, useState } from 'react'
import type { Call } from '../../src/protocol.ts'
import { visibleLine } from '../content/visible.ts'
import { useBench } from '../state/store.ts'
import type { CurrentPlace } from './use-place.ts'

/** The messages, log and output that the panel shows: those of a call, of a server, or all. */
export interface Scope {
  server: string | undefined
  call: Call | undefined
}

/** Chosen for one place of the page; elsewhere the panel follows the page again. */
interface Wish {
  at: string
  server: string | undefined
}

/** The scope, which follows the page until a person chooses another. The log and the output are always those of a server. */
export function useScope(place: CurrentPlace, isOfMessages: boolean): [Scope, (server: string | undefined) => void] {
  const [wish, setWish] = useState<Wish>()
  const firstServer = useBench(
    ({ servers }) => (servers.find(({ status }) => status === 'connected') ?? servers[0])?.id,
  )
  const at = `${place.server} ${place.call?.id}`
  const isWish = wish?.at === at
  const server = isWish ? wish.server : place.server
  const scope = {
    server: server ?? (isOfMessages ? undefined : (place.server ?? firstServer)),
    call: isWish ? undefined : place.call,
  }
  const choose = (next: string | undefined): void => setWish(next === callWish ? undefined : { at, server: next })
  return [scope, choose]
}

const callWish = 'this call'

interface Props {
  place: CurrentPlace
  scope: Scope
  choose: (server: string | undefined) => void
  isOfMessages: boolean
}

export function ScopeChoice({ place, scope, choose, isOfMessages }: Props): JSX.Element {
  const servers = useBench((bench) => bench.servers)
  return (
    <select
      className="select small scope"
      aria-label="Shown in the panel"
      value={scope.call === undefined ? (scope.server ?? '') : callWish}
      onChange={(event) => choose(event.target.value || undefined)}
    >
      {place.call !== undefined && <option value={callWish}>This call</option>}
      {isOfMessages && <option value="">All servers</option>}
      {servers.map(({ id, spec }) => (
        <option key={id} value={id}>
          {visibleLine(spec.name)}
        </option>
      ))}
    </select>
  )
}
