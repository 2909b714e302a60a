import type { JSX } from 'react'
import { visible } from '../content/visible.ts'
import { hrefTo, type Route } from '../state/route.ts'
import { useBench } from '../state/store.ts'

/** Whether the page shows the authorization of a server. */
export const showsAuthorization = ({ screen, parts }: Route, server: string): boolean =>
  screen === 'servers' && parts[0] === server && parts[1] === 'authorization'

/** Says on every other screen that an authorization waits: a call that needs it would seem to hang. */
export function HaltNotice({ route }: { route: Route }): JSX.Element | null {
  const server = useBench(({ servers, authorizations }) =>
    servers.find(({ id }) => authorizations.get(id)?.flows.some(({ held }) => held !== undefined)),
  )
  if (server === undefined || showsAuthorization(route, server.id)) return null
  return (
    <p className="banner" role="status">
      {visible(server.spec.name)} needs a token, and you go step by step.{' '}
      <a href={hrefTo('servers', server.id, 'authorization')}>Go on there</a>
    </p>
  )
}
