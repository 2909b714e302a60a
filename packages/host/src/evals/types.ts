import type { Matcher, Place, ServerSpec } from '@tenon/replay'
import type { PathStep } from '@tenon/replay/files'
import type { JsonObject } from '@tenon/sdk/client'
import type { CallOutcome } from '../chat/events.ts'
import type { TokenUsage } from '../chat/usage.ts'
import type { PolicyRules } from '../consent/policy.ts'

/** A tool call that is expected of the model. */
export interface CallCheck {
  /** `server.tool` with `*`; without a dot a tool of any server. */
  tool: string
  /** Is contained in the arguments: objects may have more members. */
  arguments?: JsonObject
  /** How the call has to end. */
  outcome?: CallOutcome
}

/** Everything that has to be true of a conversation. */
export interface EvalChecks {
  calls: CallCheck[]
  /** Patterns of tools that the model must not call. */
  never: string[]
  /** For the text of the last answer. */
  text?: Matcher
  maxSteps?: number
  maxTokens?: number
}

/** A prompt with its checks. */
export interface EvalCase {
  name: string
  index: number
  prompt: string
  system?: string
  runs?: number
  /** The lowest part of the runs that has to pass, up to 1. */
  passRate: number
  /** The reason, if it is not run. */
  skip?: string
  expect: EvalChecks
}

/** A file of prompts with checks. */
export interface EvalsFile {
  path: string
  title?: string
  servers: ReadonlyMap<string, ServerSpec>
  models: string[]
  runs: number
  system?: string
  consent?: PolicyRules
  cases: EvalCase[]
  /** The position of a value in the file, or where it would be. */
  locate(path: readonly PathStep[]): Place
}

/** A check that a run did not pass. */
export interface EvalFailure {
  /** The member of `expect`, such as `calls[0]`; `model` and `servers.…` if there was no conversation to check. */
  path: string
  message: string
  place?: Place
}

/** A tool call of a run. */
export interface EvalCall {
  /** `server.tool`; tools of the conversation itself have no server. */
  tool: string
  arguments: JsonObject
  outcome?: CallOutcome
}

/** One conversation. */
export interface EvalRun {
  status: 'passed' | 'failed'
  failures: EvalFailure[]
  /** The last answer. */
  text: string
  calls: EvalCall[]
  steps: number
  usage: TokenUsage
  durationMs: number
}

/** All runs of a case with one model. */
export interface EvalResult {
  name: string
  model: string
  status: 'passed' | 'failed' | 'skipped'
  /** The runs that passed. */
  passed: number
  /** The part of the runs that passed, up to 1, and the lowest one that is enough. */
  rate: number
  needed: number
  durationMs: number
  runs: EvalRun[]
}

/** The results of a file. */
export interface EvalsReport {
  tenonEvalsReport: 1
  file: string
  title?: string
  /** Cases, for each model. */
  passed: number
  failed: number
  skipped: number
  durationMs: number
  cases: EvalResult[]
}
