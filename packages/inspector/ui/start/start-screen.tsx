import type { JSX } from 'react'
import { useBench } from '../state/store.ts'
import { RecentCalls } from './recent-calls.tsx'
import { ServerCards } from './server-cards.tsx'
import { Suggestions } from './suggestions.tsx'
import { Welcome } from './welcome.tsx'

/** The first page: servers, recent calls and a few things to try; how to begin if there is no server. */
export function StartScreen(): JSX.Element {
  const isEmpty = useBench((bench) => bench.servers.length === 0)
  if (isEmpty) return <Welcome />
  return (
    <div className="column start">
      <h1>Start</h1>
      <ServerCards />
      <div className="start-columns">
        <RecentCalls />
        <Suggestions />
      </div>
    </div>
  )
}
