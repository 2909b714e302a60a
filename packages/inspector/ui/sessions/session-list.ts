import type { SessionView } from '../../src/protocol.ts'

/** The sessions after an event of one. */
export function withSession(sessions: readonly SessionView[], session: SessionView): SessionView[] {
  const isKnown = sessions.some(({ id }) => id === session.id)
  return isKnown ? sessions.map((other) => (other.id === session.id ? session : other)) : [...sessions, session]
}
