import type { Session, SessionEvent, SessionHeader } from '../session/format.ts'
import { type RedactOptions, Redactor } from './redactor.ts'

/** A session without secrets, for one that was recorded with them; and how many values were left out. */
export function redactSession(session: Session, options: RedactOptions = {}): { session: Session; redacted: number } {
  const redactor = new Redactor(options)
  const header = redactor.value<SessionHeader>(session.header)
  const events = session.events.map((event) => redactor.value<SessionEvent>(event))
  return { session: { ...session, header, events }, redacted: redactor.count }
}
