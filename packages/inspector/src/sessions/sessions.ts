import { randomUUID } from 'node:crypto'
import {
  aboutSession,
  diffSessions,
  type ReplayServer,
  readSession,
  replayServer,
  type Session,
  type SessionDiff,
  SessionFileError,
} from '@tenon/replay'
import type { HttpEvent, TrafficEvent } from '@tenon/sdk/client'
import { throttle } from '../events/throttle.ts'
import { RequestProblem } from '../problem.ts'
import type { BenchEvent, ServerSpec, SessionView } from '../protocol.ts'
import type { Entry } from '../timeline/entry.ts'
import type { Timeline } from '../timeline/timeline.ts'
import { Recording } from './recording.ts'
import { hasTooMuch, maxEntries, timelineOf } from './session-timeline.ts'

const maxSessions = 50
const tellMs = 200

interface Opened {
  view: SessionView
  text: string
  session: Session
  timeline?: Timeline
}

interface Running {
  view: SessionView
  recording: Recording
  tell: { (): void; flush(): void }
}

/** A server, as far as a recording needs to know it. */
interface Recorded {
  id: string
  spec: ServerSpec
}

/** The session files of this page: opened, recorded, or made of the timeline. They are kept in memory. */
export class Sessions {
  readonly #publish: (event: BenchEvent) => void
  readonly #opened = new Map<string, Opened>()
  readonly #running = new Map<string, Running>()

  constructor(publish: (event: BenchEvent) => void) {
    this.#publish = publish
  }

  get views(): SessionView[] {
    return [...this.#opened.values(), ...this.#running.values()].map(({ view }) => view)
  }

  async open(name: string, text: string): Promise<string> {
    this.#makeRoom()
    return this.#keep({ id: randomUUID(), name: name.slice(0, 200) }, text)
  }

  /** Begins with the handshake of the connection: without it the recording could not be served. */
  record({ id: server, spec }: Recorded, beginning: Iterable<Entry>): string {
    this.#makeRoom()
    if ([...this.#running.values()].some(({ view }) => view.server === server)) {
      throw new RequestProblem(`${spec.name} is being recorded already`)
    }
    const recording = new Recording(spec)
    const id = randomUUID()
    const view: SessionView = {
      id,
      name: fileName(spec.name),
      state: 'recording',
      server,
      messages: 0,
      at: Date.now(),
      warnings: [],
    }
    const running: Running = { view, recording, tell: throttle(tellMs, () => this.#tell(running)) }
    this.#running.set(id, running)
    recording.entries(beginning)
    running.tell()
    return id
  }

  /** A message on a connection of a server; costs nothing while nothing is recorded. */
  message(server: string, connection: number, event: TrafficEvent): void {
    for (const running of this.#running.values()) {
      if (running.view.server !== server) continue
      running.recording.message(connection, event)
      running.tell()
    }
  }

  http(server: string, connection: number, event: HttpEvent): void {
    for (const { view, recording } of this.#running.values()) {
      if (view.server === server) recording.http(connection, event)
    }
  }

  /** The standard error of a server process. */
  stderr(server: string, text: string): void {
    for (const { view, recording } of this.#running.values()) if (view.server === server) recording.stderr(text)
  }

  async stop(id: string): Promise<void> {
    const running = this.#running.get(id)
    if (running === undefined) throw new RequestProblem('This recording has ended already')
    this.#running.delete(id)
    running.tell.flush()
    const { name, server } = running.view
    const { problem } = running.recording
    const text = await running.recording.close()
    await this.#keep({ id, name, ...(server !== undefined && { server }) }, text, problem)
  }

  /** A session of messages that have been. */
  async take({ id: server, spec }: Recorded, entries: Iterable<Entry>): Promise<string> {
    this.#makeRoom()
    const recording = new Recording(spec)
    recording.entries(entries)
    const { problem } = recording
    return this.#keep({ id: randomUUID(), name: fileName(spec.name), server }, await recording.close(), problem)
  }

  text(id: string): { name: string; text: string } {
    const { view, text } = this.#find(id)
    return { name: view.name, text }
  }

  timeline(id: string): Timeline {
    const opened = this.#find(id)
    opened.timeline ??= timelineOf(opened.session)
    return opened.timeline
  }

  diff(before: string, after: string): SessionDiff {
    return diffSessions(this.#find(before).session, this.#find(after).session)
  }

  /** A server that answers as it is recorded. */
  serve(id: string): ReplayServer {
    const { view, session } = this.#find(id)
    if (view.revision === undefined) {
      throw new RequestProblem(`${view.name} cannot be served: no request in it was answered`)
    }
    return replayServer(session)
  }

  remove(id: string): void {
    this.#opened.delete(id)
    this.#running.delete(id)
    this.#publish({ type: 'session-removed', session: id })
  }

  #find(id: string): Opened {
    const opened = this.#opened.get(id)
    if (opened !== undefined) return opened
    throw new RequestProblem(this.#running.has(id) ? 'Stop the recording first' : 'This session is not open any more')
  }

  async #keep(known: Pick<SessionView, 'id' | 'name' | 'server'>, text: string, problem?: string): Promise<string> {
    const session = await read(known.name, text)
    const warnings = [...session.warnings, ...bounds(session), ...(problem === undefined ? [] : [problem])]
    const view: SessionView = { ...known, state: 'whole', ...describe(session), warnings }
    this.#opened.set(view.id, { view, text, session })
    this.#publish({ type: 'session', session: view })
    return view.id
  }

  #tell({ view, recording }: Running): void {
    view.messages = recording.messages
    this.#publish({ type: 'session', session: view })
  }

  #makeRoom(): void {
    if (this.#opened.size + this.#running.size < maxSessions) return
    throw new RequestProblem(`There are ${maxSessions} sessions already`, 'Remove some of them.')
  }
}

async function read(name: string, text: string): Promise<Session> {
  try {
    return await readSession(text)
  } catch (error) {
    if (!(error instanceof SessionFileError)) throw error
    throw new RequestProblem(
      `${name} is no session file: ${error.message}`,
      'Session files are JSON lines, see docs/session-files.md.',
    )
  }
}

function bounds(session: Session): string[] {
  if (!hasTooMuch(session)) return []
  return [`Only the first ${maxEntries.toLocaleString('en')} messages and lines are shown here`]
}

function describe(session: Session): Omit<SessionView, 'id' | 'name' | 'state' | 'warnings'> {
  const { header, events } = session
  const about = aboutSession(session)
  // Peers say who they are, and may say anything.
  const named = (who: { name: string; version: unknown } | undefined): string | undefined =>
    who && beginningOf(typeof who.version === 'string' ? `${who.name} ${who.version}` : who.name)
  const [serverInfo, clientInfo] = [named(about?.server), named(about?.client)]
  const redacted = events.findLast(({ kind }) => kind === 'closed') as { redacted?: number } | undefined
  return {
    messages: events.filter(({ kind }) => kind === 'message').length,
    at: header.at,
    ...(serverInfo !== undefined && { serverInfo }),
    ...(clientInfo !== undefined && { clientInfo }),
    ...(about && { revision: beginningOf(about.revision) }),
    ...(typeof redacted?.redacted === 'number' && { redacted: redacted.redacted }),
  }
}

const maxShown = 200
const beginningOf = (text: string): string => (text.length > maxShown ? `${text.slice(0, maxShown)}…` : text)

const fileName = (name: string): string =>
  `${name.replace(/[^\p{L}\p{N}_.-]+|\.{2,}|^\.+/gu, '-').slice(0, 60)}-${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}.jsonl`
