import type { Session, SessionEvent, SessionHeader } from './format.ts'
import { linesOf } from './lines.ts'
import { parseEvent, parseHeader, SessionFileError } from './parse-line.ts'

/** Limits of reading. */
export interface ReadOptions {
  /** Characters of one line. 64 Mi. */
  maxLineLength?: number
  /** Lines in all. 1,000,000. */
  maxEvents?: number
}

type Source = AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>

/** Gets the lines of a file in order. */
export interface SessionVisitor {
  header(header: SessionHeader): void
  event(event: SessionEvent): void
  warn?(message: string): void
}

/** Reads a session as it comes, line by line: for files larger than memory. */
export async function visitSession(source: Source, visitor: SessionVisitor, options: ReadOptions = {}): Promise<void> {
  const { maxLineLength = 64 * 1024 * 1024, maxEvents = 1_000_000 } = options
  let started = false
  let events = 0
  for await (const { text, number, whole } of linesOf(source, maxLineLength)) {
    if (text.trim() === '') continue
    if (!started) {
      visitor.header(parseHeader(text, number))
      started = true
      continue
    }
    events += 1
    if (events > maxEvents) throw new SessionFileError(number, `more than the limit of ${maxEvents} events`)
    const event = whole ? parseEvent(text, number) : halfOf(text, number, visitor)
    if (event !== undefined) visitor.event(event)
  }
  if (!started) throw new SessionFileError(1, 'the file is empty')
}

/** The writer may have been killed in the middle of the last line. */
function halfOf(text: string, number: number, visitor: SessionVisitor): SessionEvent | undefined {
  try {
    return parseEvent(text, number)
  } catch {
    visitor.warn?.(`line ${number}: the last line is incomplete and was left out`)
    return undefined
  }
}

/** Reads a session into memory. Throws a `SessionFileError` that names the line. */
export async function readSession(source: Source | string, options: ReadOptions = {}): Promise<Session> {
  const session: Session = { header: { tenonSession: 1, at: 0 }, events: [], warnings: [] }
  const visitor: SessionVisitor = {
    header: (header) => {
      session.header = header
    },
    event: (event) => session.events.push(event),
    warn: (message) => session.warnings.push(message),
  }
  await visitSession(typeof source === 'string' ? [source] : source, visitor, options)
  return session
}

/** One line of a session file, with its line break. */
export const lineOf = (entry: SessionHeader | SessionEvent): string =>
  `${JSON.stringify(entry.kind === 'other' ? (entry as { line: unknown }).line : entry)}\n`

/** A session as the text of a file. */
export const sessionText = ({ header, events }: Pick<Session, 'header' | 'events'>): string =>
  [header, ...events].map(lineOf).join('')
