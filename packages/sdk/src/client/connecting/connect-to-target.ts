import type { ClientConnection, ConnectionOwner } from './connection.ts'
import { establish } from './establish.ts'
import { ReconnectingConnection } from './reconnecting-connection.ts'
import type { Opener } from './target.ts'

/** A lifeline whose connections belong to an owner. */
export function connectToTarget(
  opener: Opener,
  owner: ConnectionOwner,
  restored: (connection: ClientConnection, because: 'restart' | 'session') => void,
): ReconnectingConnection {
  const { settings } = owner
  return new ReconnectingConnection(
    {
      establish: (known, signal = settings.signal) => establish({ opener, owner, known, signal }),
      restored,
      report: settings.report,
    },
    opener.restart,
  )
}
