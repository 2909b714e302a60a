import type { Revision } from '@tenon/sdk/client'
import type {
  AppViolation,
  AuthorizationView,
  BenchEvent,
  Call,
  Catalogs,
  DiagnosisStep,
  KeptView,
  PlaygroundView,
  Question,
  ServerView,
  SessionView,
  StderrLine,
  TaskView,
  TimelineRange,
} from '../../src/protocol.ts'
import { type EvalState, withEval } from '../evals/evaluations.ts'
import { withPlayground } from '../playground/answers.ts'
import { type RunState, withRun } from '../saved/runs.ts'
import { withSession } from '../sessions/session-list.ts'
import { withoutTask, withTask } from '../tasks/task-list.ts'

/** Everything that the page knows, as one value that is replaced and never changed. */
export interface Bench {
  /** Whether the stream of events is there. */
  stream: 'opening' | 'open' | 'broken' | 'locked'
  /** False until the first snapshot. */
  ready: boolean
  /** The revisions that can be spoken, newest first. */
  revisions: readonly Revision[]
  servers: readonly ServerView[]
  catalogs: ReadonlyMap<string, Catalogs>
  questions: readonly Question[]
  calls: ReadonlyMap<string, Call>
  tasks: readonly TaskView[]
  timeline: TimelineRange
  stderr: ReadonlyMap<string, readonly StderrLine[]>
  /** The number of the last log message of each server. */
  logs: ReadonlyMap<string, number>
  diagnoses: ReadonlyMap<string, { steps: DiagnosisStep[]; done: boolean }>
  /** How servers are signed in to. */
  authorizations: ReadonlyMap<string, AuthorizationView>
  /** Resources that have changed since they were looked at, as `server uri`. */
  updated: ReadonlySet<string>
  sessions: readonly SessionView[]
  /** The place in which servers are kept between runs. */
  kept: KeptView
  /** The conversation with models. */
  playground: PlaygroundView
  /** The last evaluation of each file that this page knows of. */
  evaluations: ReadonlyMap<string, EvalState>
  /** Runs of saved calls that this page knows of. */
  runs: ReadonlyMap<string, RunState>
  /** The attempts of each view that its policy has blocked. */
  violations: ReadonlyMap<string, readonly AppViolation[]>
}

export const emptyBench: Bench = {
  stream: 'opening',
  ready: false,
  revisions: [],
  servers: [],
  catalogs: new Map(),
  questions: [],
  calls: new Map(),
  tasks: [],
  timeline: { first: 1, next: 1 },
  stderr: new Map(),
  logs: new Map(),
  diagnoses: new Map(),
  authorizations: new Map(),
  updated: new Set(),
  sessions: [],
  kept: { keeps: false, unusable: [], secrets: { where: 'memory' } },
  playground: { models: [], turns: [], keys: [] },
  evaluations: new Map(),
  runs: new Map(),
  violations: new Map(),
}

const maxCalls = 200
const maxStderrLines = 2_000

/** The state after an event. */
export function afterEvent(bench: Bench, event: BenchEvent): Bench {
  switch (event.type) {
    case 'snapshot': {
      const { catalogs, calls, authorizations, about: _, page: __, ...rest } = event.snapshot
      return {
        ...emptyBench,
        ...rest,
        stream: 'open',
        ready: true,
        catalogs: new Map(Object.entries(catalogs)),
        authorizations: new Map(Object.entries(authorizations)),
        calls: new Map(calls.map((call) => [call.id, call])),
      }
    }
    case 'server':
      return { ...bench, servers: withServer(bench.servers, event.server) }
    case 'server-removed':
      return { ...bench, servers: bench.servers.filter(({ id }) => id !== event.server) }
    case 'order':
      return { ...bench, servers: inOrder(bench.servers, event.servers) }
    case 'kept':
      return { ...bench, kept: event.kept }
    case 'catalog': {
      const known = { ...bench.catalogs.get(event.server), [event.catalog.kind]: event.catalog }
      return { ...bench, catalogs: new Map(bench.catalogs).set(event.server, known) }
    }
    case 'stderr': {
      const lines = [...(bench.stderr.get(event.server) ?? []), ...event.lines].slice(-maxStderrLines)
      return { ...bench, stderr: new Map(bench.stderr).set(event.server, lines) }
    }
    case 'log':
      return { ...bench, logs: new Map(bench.logs).set(event.server, event.last) }
    case 'diagnosis': {
      const { steps, done } = event
      return { ...bench, diagnoses: new Map(bench.diagnoses).set(event.server, { steps, done }) }
    }
    case 'authorization':
      return { ...bench, authorizations: new Map(bench.authorizations).set(event.server, event.authorization) }
    case 'call':
      return { ...bench, calls: withCall(bench.calls, event.call) }
    case 'task':
      return { ...bench, tasks: withTask(bench.tasks, event.task) }
    case 'task-removed':
      return { ...bench, tasks: withoutTask(bench.tasks, event) }
    case 'question':
      return { ...bench, questions: [...bench.questions, event.question] }
    case 'question-closed':
      return { ...bench, questions: bench.questions.filter(({ id }) => id !== event.question) }
    case 'app-violation': {
      const before = bench.violations.get(event.view) ?? []
      return { ...bench, violations: new Map(bench.violations).set(event.view, [...before, event.violation]) }
    }
    case 'resource-updated':
      return { ...bench, updated: new Set(bench.updated).add(`${event.server} ${event.uri}`) }
    case 'traffic':
      return { ...bench, timeline: event.timeline }
    case 'session':
      return { ...bench, sessions: withSession(bench.sessions, event.session) }
    case 'session-removed':
      return { ...bench, sessions: bench.sessions.filter(({ id }) => id !== event.session) }
    case 'saved-run':
      return { ...bench, runs: withRun(bench.runs, event) }
    case 'eval-run':
      return { ...bench, evaluations: withEval(bench.evaluations, event) }
    case 'playground':
    case 'playground-answer':
      return { ...bench, playground: withPlayground(bench.playground, event) }
  }
}

function withServer(servers: readonly ServerView[], server: ServerView): ServerView[] {
  const known = servers.some(({ id }) => id === server.id)
  return known ? servers.map((other) => (other.id === server.id ? server : other)) : [...servers, server]
}

/** Servers in the order of their ids; one that is not named stays at the end. */
function inOrder(servers: readonly ServerView[], ids: readonly string[]): ServerView[] {
  const placeOf = ({ id }: ServerView): number => (ids.includes(id) ? ids.indexOf(id) : ids.length)
  return servers.toSorted((a, b) => placeOf(a) - placeOf(b))
}

function withCall(calls: ReadonlyMap<string, Call>, call: Call): Map<string, Call> {
  const next = new Map(calls).set(call.id, call)
  if (next.size > maxCalls) next.delete(next.keys().next().value!)
  return next
}
