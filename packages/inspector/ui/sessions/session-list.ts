import type { SessionView } from '../../src/protocol.ts'

/** What is known of sessions after news of one. */
export function withSession(sessions: readonly SessionView[], session: SessionView): SessionView[] {
  const isKnown = sessions.some(({ id }) => id === session.id)
  return isKnown ? sessions.map((other) => (other.id === session.id ? session : other)) : [...sessions, session]
}
