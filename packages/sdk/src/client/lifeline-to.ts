import type { Connection, ConnectionOwner } from './connection.ts'
import { establish } from './establish.ts'
import { Lifeline } from './lifeline.ts'
import type { Opener } from './target.ts'

/** A lifeline whose connections belong to an owner. */
export function lifelineTo(
  opener: Opener,
  owner: ConnectionOwner,
  restored: (connection: Connection, because: 'restart' | 'session') => void,
): Lifeline {
  const { settings } = owner
  return new Lifeline(
    {
      establish: (known, signal = settings.signal) => establish({ opener, owner, known, signal }),
      restored,
      report: settings.report,
    },
    opener.restart,
  )
}
