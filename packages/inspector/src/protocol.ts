// The contract between the backend and its page. Commands are `POST /api/<name>` with the parameters as JSON; events come on
// one stream, `GET /api/events`. The page imports nothing but types from here.
import type { DiagnosisStep } from '@tenon/host/diagnosis'
import type {
  CompletionReference,
  Implementation,
  JsonObject,
  LoggingLevel,
  Progress,
  Prompt,
  Resource,
  ResourceTemplate,
  Revision,
  Root,
  ServerCapabilities,
  Task,
  Tool,
} from '@tenon/sdk/client'
import type { AppCommands, AppViolation } from './protocol-apps.ts'
import type { AuthorizationCommands, AuthorizationView } from './protocol-authorization.ts'
import type { CompareCommands } from './protocol-compare.ts'
import type { EvalCommands, EvalEvent } from './protocol-evals.ts'
import type { KeptCommands, KeptView } from './protocol-kept.ts'
import type { LintCommands } from './protocol-lint.ts'
import type { ModelCommands } from './protocol-model.ts'
import type { PlaygroundCommands, PlaygroundEvent, PlaygroundView } from './protocol-playground.ts'
import type { Answer, Question } from './protocol-questions.ts'
import type { SavedCommands, SavedResult, SavedRun } from './protocol-saved.ts'
import type { HostSnippet, LogLine, ServerSpec, ServerView, StderrLine } from './protocol-servers.ts'
import type { SessionCommands, SessionView } from './protocol-sessions.ts'
import type { TaskCommands, TaskView } from './protocol-tasks.ts'
import type { MethodStats, TimelineEntry, TimelineLanes, TimelinePage, TimelineRange } from './protocol-timeline.ts'

export type * from './protocol-apps.ts'
export type * from './protocol-authorization.ts'
export type * from './protocol-compare.ts'
export type * from './protocol-evals.ts'
export type * from './protocol-kept.ts'
export type * from './protocol-lint.ts'
export type * from './protocol-model.ts'
export type * from './protocol-playground.ts'
export type * from './protocol-questions.ts'
export type * from './protocol-saved.ts'
export type * from './protocol-servers.ts'
export type * from './protocol-sessions.ts'
export type * from './protocol-tasks.ts'
export type * from './protocol-timeline.ts'
export type { DiagnosisStep }

/** Why something did not work: the kind of failure, a message for a person, and a next step. */
export interface Problem {
  /**
   * - `protocol`: the server answered with a JSON-RPC error
   * - `transport`: the connection broke, was refused, or never came about
   * - `timeout`, `cancelled`: the workbench no longer waits for the answer
   * - `unauthorized`: the server wants credentials
   * - `invalid`: the server answered something that the protocol does not allow
   * - `too_large`: the server answered with more than the workbench takes
   * - `request`: the command of the page cannot be run
   */
  kind: 'protocol' | 'transport' | 'timeout' | 'cancelled' | 'unauthorized' | 'invalid' | 'too_large' | 'request'
  message: string
  /** The number of a JSON-RPC error, or the name of an error of this side. */
  code?: number | string
  data?: unknown
  /** The next step for a person. */
  hint?: string
}

// Catalogues

/** The items of a server's lists, by kind. */
export interface CatalogItems {
  tools: Tool
  resources: Resource
  templates: ResourceTemplate
  prompts: Prompt
}
export type CatalogKind = keyof CatalogItems

/** A list of a server as it was read last. */
export interface Catalog<Kind extends CatalogKind = CatalogKind> {
  kind: Kind
  items: CatalogItems[Kind][]
  /** Set if the list could not be read; `items` are then those of the last reading. */
  problem?: Problem
  loading?: boolean
}
export type Catalogs = { [Kind in CatalogKind]?: Catalog<Kind> }

// Calls

/** A request to a server that may take a while. */
export type Operation =
  | { method: 'tools/call'; name: string; arguments: JsonObject; task?: boolean }
  | { method: 'resources/read'; uri: string }
  | { method: 'prompts/get'; name: string; arguments: { [name: string]: string } }
  /** Any method with any parameters, sent as they are. */
  | { method: 'request'; name: string; params: JsonObject }

/** A call from its start to its end. */
export interface Call {
  id: string
  server: string
  operation: Operation
  startedAt: number
  /** The revision of a connection that was opened for this call. */
  revision?: Revision
  progress?: Progress
  /** The task that the server made of the call. */
  task?: Task
  /** The request as it was sent, in its last round if there are several. */
  sent?: SentRequest
  outcome?: Outcome
}

export interface SentRequest {
  /** Its row in the timeline. */
  row: number
  /** The row of its first round. */
  first: number
  text: string
}

export type Outcome = {
  durationMs: number
  warnings: string[]
} /** The result as the server sent it. `exact` is the text of its message, if numbers would lose digits of it. */ & (
  | { kind: 'result'; result: JsonObject; exact?: string }
  | { kind: 'problem'; problem: Problem }
)

// Commands

/** A process that wants to be started, as it is shown to the person who decides. */
export interface Challenge {
  id: string
  server: string
  command: string
  args: string[]
  /** Names and values, as they will be set. */
  env: { [name: string]: string }
  /** Dots stand for the values: they are kept, and were not revealed. */
  hidden?: boolean
  cwd?: string
}

/** Servers found in a config file or in pasted text, before anything is added. */
export interface FoundServers {
  /** The name of the application, and its file. */
  source: string
  path?: string
  /** Without their secrets, which stay in the backend; `key` is how one is chosen. */
  servers: { key: string; spec: ServerSpec }[]
  /** Why some entries could not be used. */
  problems: string[]
}

type Nothing = Record<string, never>

/** Which messages are meant: those of a session, or those of the servers. */
interface OfSession {
  session?: string
}

/** Every command, with its parameters and its result. */
export interface Commands
  extends SavedCommands,
    CompareCommands,
    SessionCommands,
    AppCommands,
    ModelCommands,
    PlaygroundCommands,
    EvalCommands,
    TaskCommands,
    KeptCommands,
    LintCommands,
    AuthorizationCommands {
  'server.add': { params: { spec: ServerSpec }; result: { server: string } }
  'server.update': { params: { server: string; spec: ServerSpec }; result: Nothing }
  'server.remove': { params: { server: string }; result: Nothing }
  /** Connects, or asks for a confirmation first if that starts a process that no person has allowed. */
  'server.connect': { params: { server: string }; result: { challenge?: Challenge } }
  'server.confirm': { params: { challenge: string }; result: Nothing }
  'server.disconnect': { params: { server: string }; result: Nothing }
  /** The specification with its secrets, for the form that edits it. */
  'server.reveal': { params: { server: string }; result: { spec: ServerSpec } }
  /** The entry of the server in the file of every known host. */
  'server.snippets': { params: { server: string }; result: { snippets: HostSnippet[] } }
  'server.ping': { params: { server: string }; result: { pingMs: number } }
  'server.diagnose': { params: { server: string }; result: { steps: DiagnosisStep[] } }
  'server.stderr': { params: { server: string }; result: { lines: StderrLine[] } }
  /** The log messages of a server that are kept, or those of them that came after one. */
  'server.log': { params: { server: string; after?: number }; result: { lines: LogLine[] } }
  'server.refresh': { params: { server: string; kind?: CatalogKind }; result: Nothing }
  /** Takes URIs and whole paths; gives the new roots, and notifies the server. */
  'server.setRoots': { params: { server: string; roots: Root[] }; result: { roots: Root[] } }
  'server.setLogLevel': { params: { server: string; level: LoggingLevel }; result: Nothing }
  /** Gives the tokens of a server back, and forgets them. */
  'server.signOut': { params: { server: string }; result: Nothing }

  'config.find': { params: Nothing; result: { found: FoundServers[] } }
  'config.parse': { params: { text: string }; result: FoundServers }
  /** Adds a server that was found, with the variables of its entry filled in. */
  'config.add': { params: { key: string }; result: { server: string } }

  'call.start': { params: { server: string; operation: Operation; timeoutMs?: number }; result: { call: string } }
  'call.cancel': { params: { call: string }; result: Nothing }

  complete: {
    params: {
      server: string
      ref: CompletionReference
      argument: { name: string; value: string }
      context?: { [name: string]: string }
    }
    result: { values: string[]; total?: number; hasMore?: boolean }
  }
  'resource.watch': { params: { server: string; uri: string }; result: Nothing }
  'resource.unwatch': { params: { server: string; uri: string }; result: Nothing }

  /** Keeps texts of the page for its next visit, by their keys; null forgets one. */
  'page.keep': { params: { entries: { [key: string]: string | null } }; result: Nothing }

  'question.answer': { params: { question: string; answer: Answer }; result: Nothing }

  /** With `find`, the place of a row among those that match is told too; with `folded`, equal polls are one row. */
  'timeline.query': {
    params: { query: string; offset: number; count: number; find?: number; folded?: boolean } & OfSession
    result: TimelinePage
  }
  'timeline.get': { params: { id: number } & OfSession; result: TimelineEntry }
  'timeline.stats': { params: { query: string } & OfSession; result: { methods: MethodStats[] } }
  /** The lanes in view: all of the time if `from` and `to` are not given, in `width` parts, and `rows` lanes. */
  'timeline.lanes': {
    params: { query: string; from?: number; to?: number; width: number; top: number; rows: number } & OfSession
    result: TimelineLanes
  }
  'timeline.clear': { params: Nothing; result: Nothing }
  /** Everything that matches, one JSON object per line. */
  'timeline.export': { params: { query: string } & OfSession; result: { text: string; name: string } }
}
export type CommandName = keyof Commands
export type Params<Name extends CommandName> = Commands[Name]['params']
export type Result<Name extends CommandName> = Commands[Name]['result']

/** The answer to a command. */
export type Reply<Name extends CommandName = CommandName> = { result: Result<Name> } | { problem: Problem }

// Events

/** Everything that a page has to know to begin with. */
export interface Snapshot {
  servers: ServerView[]
  catalogs: { [server: string]: Catalogs }
  questions: Question[]
  calls: Call[]
  tasks: TaskView[]
  sessions: SessionView[]
  authorizations: { [server: string]: AuthorizationView }
  timeline: TimelineRange
  kept: KeptView
  playground: PlaygroundView
  /** What the page has kept for its next visit. */
  page: { [key: string]: string }
  /** The revisions that can be spoken, newest first. */
  revisions: Revision[]
  /** The name and version of this backend. */
  about: Implementation
}

/** Each event has a number in its SSE id; a stream that is opened with the last one gets the events after it. */
export type BenchEvent =
  /** The first event of a stream that cannot go on where an earlier one ended. */
  | { type: 'snapshot'; snapshot: Snapshot }
  | { type: 'server'; server: ServerView }
  | { type: 'server-removed'; server: string }
  /** Every server, in the order in which they are shown. */
  | { type: 'order'; servers: string[] }
  | { type: 'kept'; kept: KeptView }
  | { type: 'catalog'; server: string; catalog: Catalog }
  | { type: 'stderr'; server: string; lines: StderrLine[] }
  /** A server has logged something; `last` is the number of its last message. */
  | { type: 'log'; server: string; last: number }
  | { type: 'diagnosis'; server: string; steps: DiagnosisStep[]; done: boolean }
  | { type: 'authorization'; server: string; authorization: AuthorizationView }
  | { type: 'call'; call: Call }
  | { type: 'task'; task: TaskView }
  | { type: 'task-removed'; server: string; task: string }
  | { type: 'question'; question: Question }
  | { type: 'question-closed'; question: string; because: 'answered' | 'withdrawn' }
  /** The policy of a view has blocked something; the first 100 times of each view are told. */
  | { type: 'app-violation'; view: string; violation: AppViolation }
  | { type: 'resource-updated'; server: string; uri: string }
  | { type: 'traffic'; timeline: TimelineRange }
  | { type: 'session'; session: SessionView }
  | { type: 'session-removed'; session: string }
  /** `results` are those that came since the last such event. */
  | { type: 'saved-run'; run: SavedRun; results: SavedResult[] }
  | PlaygroundEvent
  | EvalEvent

export type { ServerCapabilities }
