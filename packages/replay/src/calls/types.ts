import type { JsonObject, JsonValue, Revision, Root } from '@tenon/sdk/client'
import type { PathStep } from '../json/path.ts'

/** A place in a file, counted from 1. */
export interface Place {
  line: number
  column: number
}

/** A server of a file. Its command and address may contain variables until a run begins. */
export interface ServerSpec {
  /** Its name in the file. */
  name: string
  command?: string
  args?: string[]
  env?: { [name: string]: string }
  cwd?: string
  url?: string
  headers?: { [name: string]: string }
  /** The name of a server in a configuration of the user, which the runner finds. */
  config?: string
}

/** One operation of a client. */
export type Operation =
  | { kind: 'tool'; name: string; arguments: JsonObject }
  | { kind: 'read'; uri: string }
  | { kind: 'prompt'; name: string; arguments: { [name: string]: string } }
  | { kind: 'complete'; prompt?: string; template?: string; argument: string; value: string; context: JsonObject }
  | { kind: 'list'; what: ListKind }
  | { kind: 'request'; method: string; params: JsonObject }

export type ListKind = 'tools' | 'resources' | 'templates' | 'prompts'

/** The answers to requests of the server, in this order. */
export type Answer =
  | { kind: 'elicit'; action: 'accept' | 'decline' | 'cancel'; content?: JsonObject; message?: Matcher }
  | { kind: 'sample'; result: JsonObject; message?: Matcher }

/** A value to be equal to, or an object of operators. */
export type Matcher = JsonValue

/** The expected outcome of a call. */
export interface Expectation {
  isError?: boolean
  error?: true | number | string | { code?: number | string; message?: Matcher }
  text?: Matcher
  /** Has to be contained in the structured content. */
  structured?: JsonValue
  structuredEquals?: JsonValue
  /** Has to be contained in the result, as the server gave it. */
  result?: JsonValue
  count?: Matcher
  /** The structured content fits the output schema of the tool. */
  schema?: boolean
  at?: { [path: string]: Matcher }
  /** Slower than this is a warning, never a failure. */
  maxMs?: number
}

/** One call of a file. */
export interface SavedCall {
  name: string
  /** Which of the calls of the file, counted from 0. */
  index: number
  server: string
  operation: Operation
  /** Only in these; in all by default. */
  revisions?: readonly Revision[]
  /** The reason for skipping it. */
  skip?: string
  answers: readonly Answer[]
  expect: Expectation
  /** Instead of `expect`, in one revision. */
  expectIn: ReadonlyMap<Revision, Expectation>
  /** Values for later calls, by name: paths into the outcome. */
  capture: ReadonlyMap<string, readonly PathStep[]>
  timeoutMs?: number
}

/** A file of saved calls that was read and found to be right. */
export interface CallsFile {
  /** As it was given; for messages. */
  path: string
  title?: string
  servers: ReadonlyMap<string, ServerSpec>
  /** Every call is made in each of them; by default once, in the newest that the server has. */
  revisions?: readonly Revision[]
  variables: JsonObject
  roots?: Root[]
  calls: readonly SavedCall[]
  /** The position of a value in the file, or where it would be. */
  locate(path: readonly PathStep[]): Place
}
