import type { JSX } from 'react'
import type { ServerSpec, ServerView } from '../../src/protocol.ts'
import { Icon, type IconName } from '../parts/icon.tsx'

/** The transport of a server as an icon, with a dot for its status. */
export function ServerMark({ server }: { server: Pick<ServerView, 'spec' | 'status'> }): JSX.Element {
  return (
    <span className="server-mark">
      <Icon name={transportIcon(server.spec)} />
      <span className={`dot ${server.status}`} />
    </span>
  )
}

function transportIcon(spec: ServerSpec): IconName {
  if (spec.kind === 'session') return 'sessions'
  if (spec.kind === 'command') return 'command'
  return spec.url.startsWith('ws') ? 'socket' : 'http'
}
