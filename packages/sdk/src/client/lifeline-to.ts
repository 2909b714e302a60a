import type { Connection, ConnectionOwner } from './connection.ts'
import { establish } from './establish.ts'
import type { Introduction } from './introduction.ts'
import { Lifeline } from './lifeline.ts'
import type { Opener } from './target.ts'

/** A lifeline whose connections belong to an owner, and introduce themselves as it wants. */
export function lifelineTo(
  opener: Opener,
  owner: ConnectionOwner,
  introduction: Introduction,
  restored: (connection: Connection, because: 'restart' | 'session') => void,
): Lifeline {
  const { settings } = owner
  return new Lifeline(
    {
      establish: (known, signal = settings.signal) =>
        establish({
          opener,
          owner,
          capabilities: introduction.capabilities,
          ...(known && { known }),
          ...(signal && { signal }),
        }),
      restored,
      report: settings.report,
    },
    opener.restart,
  )
}
