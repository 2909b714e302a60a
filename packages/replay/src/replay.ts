export { defaultServer, loadCalls, loadCallsFile } from './calls/load/calls-file.ts'
export { CallsFileError, type Problem } from './calls/load/problems.ts'
export { junitXml } from './calls/report/junit.ts'
export { tapText } from './calls/report/tap.ts'
export type { Failure } from './calls/run/assertions.ts'
export { connectServer } from './calls/run/connect-server.ts'
export type { Outcome } from './calls/run/operations.ts'
export {
  type CallResult,
  type RunEvent,
  type RunOptions,
  type RunResult,
  runCalls,
} from './calls/run/run-calls.ts'
export type {
  Answer,
  CallsFile,
  Expectation,
  ListKind,
  Matcher,
  Operation,
  Place,
  SavedCall,
  ServerSpec,
} from './calls/types.ts'
export { callsFromSession } from './calls/write/calls-from-session.ts'
export { callsFormat, callsText } from './calls/write/calls-text.ts'
export { diffSessions } from './diff/diff-sessions.ts'
export { formatDiff } from './diff/format-diff.ts'
export type {
  Change,
  ItemDiff,
  ItemKind,
  RequestDiff,
  SessionDiff,
  Severity,
  TimingDiff,
} from './diff/types.ts'
export type { Difference } from './json/differences.ts'
export { type ProxyOptions, recordingProxy } from './record/proxy.ts'
export { type Recorder, type RecorderOptions, recorder } from './record/recorder.ts'
export { redactSession } from './record/redact-session.ts'
export { type RedactOptions, Redactor } from './record/redactor.ts'
export type { AnswerNote, UnknownNote } from './serve/replay-notes.ts'
export { type ReplayOptions, type ReplayReport, type ReplayServer, replayServer } from './serve/replay-server.ts'
export { aboutSession, type SessionAbout } from './session/agreement.ts'
export { fileSink, memorySink, readSessionFile, type SessionSink } from './session/file.ts'
export type {
  AgreedEvent,
  ClosedEvent,
  MessageEvent,
  NoteEvent,
  OpenedEvent,
  OtherEvent,
  RefusedEvent,
  Session,
  SessionEvent,
  SessionHeader,
  SessionHttpEvent,
  SessionTarget,
  StderrEvent,
  UnansweredEvent,
} from './session/format.ts'
export { SessionFileError } from './session/parse-line.ts'
export {
  lineOf,
  type ReadOptions,
  readSession,
  type SessionVisitor,
  sessionText,
  visitSession,
} from './session/read.ts'
