import type { JsonObject } from '@tenon/sdk/client'
import type { Challenge, Problem } from './protocol.ts'
import type { PlaygroundAnswer, ToolUse } from './protocol-playground.ts'
import type { FileProblem } from './protocol-saved.ts'

/** A file of prompts with checks, as `tenon eval` takes it. */
export interface EvalSuite {
  /** The name of its file. */
  id: string
  title: string
  /** The names of the servers in the file. */
  servers: string[]
  models: string[]
  /** How often each case is tried. */
  runs: number
  system?: string
  /** The calls that are allowed without a condition; others are refused, because nobody is there to be asked. */
  allow: string[]
  cases: EvalCaseView[]
  /** Mistakes in the file: its cases cannot be run before they are mended. */
  problems: FileProblem[]
}

/** A prompt with its checks. */
export interface EvalCaseView {
  /** Which of the cases of the file, counted from 0. */
  index: number
  name: string
  /** The reason, if it is not run. */
  skip?: string
  /** As it stands in the file. */
  source: JsonObject
}

/** The settings of a file that are for all its cases. */
export interface EvalSettings {
  title: string
  models: string[]
  runs: number
  system: string
  allow: string[]
}

/** An evaluation of a file that is going on, or the last one. */
export interface EvalRunView {
  id: string
  suite: string
  /** How many conversations there will be, and how many have ended. */
  total: number
  ended: number
  state: 'running' | 'done' | 'stopped'
  /** The conversation that is going on. */
  now?: { name: string; model: string; run: number; runs: number }
  /** A program that the person has to allow before the evaluation continues. */
  challenge?: Challenge
  problem?: Problem
  rates: EvalRateView[]
}

/** How often a case passed with a model. */
export interface EvalRateView {
  name: string
  model: string
  status: 'running' | 'passed' | 'failed' | 'skipped'
  passed: number
  runs: number
  /** The lowest part of the runs that has to pass, up to 1. */
  needed: number
  /** In the evaluation before this one, here or by `tenon eval`. */
  before?: { passed: number; runs: number }
  change?: 'better' | 'worse' | 'same'
}

/** A conversation that has ended. */
export interface EvalConversation {
  /** Its place in the evaluation, counted from 0. */
  number: number
  name: string
  model: string
  status: 'passed' | 'failed'
  failures: EvalFailureView[]
  steps: number
  tokens: number
  durationMs: number
  calls: EvalCallView[]
}

export interface EvalFailureView {
  path: string
  message: string
  /** Its place in the file. */
  line?: number
}

export interface EvalCallView {
  /** `server.tool`. */
  tool: string
  outcome?: NonNullable<ToolUse['outcome']>
  /** The row of its request in the timeline. */
  row?: number
}

type Nothing = Record<string, never>

/** The commands of evaluations. */
export interface EvalCommands {
  'evals.list': { params: Nothing; result: { folder: string; suites: EvalSuite[] } }
  /**
   * Adds a case, or replaces one; `suite` is the name of a file, or a title for a new one. The file gets to know servers
   * of the workbench, and allows calls.
   */
  'evals.put': {
    params: { suite: string; index?: number; case: JsonObject; servers?: string[]; allow?: string[] }
    result: { suite: EvalSuite; index: number }
  }
  'evals.set': { params: { suite: string; settings: EvalSettings }; result: { suite: EvalSuite } }
  'evals.remove': { params: { suite: string; index: number }; result: { suite: EvalSuite } }
  /** Removes the file. */
  'evals.delete': { params: { suite: string }; result: Nothing }
  'evals.text': { params: { suite: string }; result: { text: string } }
  /** Writes a file as it is given; mistakes in it are reported and do not stop it. */
  'evals.write': { params: { suite: string; text: string; isNew?: boolean }; result: { suite: EvalSuite } }
  /** Begins an evaluation. Its progress comes as events. */
  'evals.run': {
    params: { suite: string; models?: string[]; runs?: number; cases?: number[] }
    result: { run: string }
  }
  'evals.agree': { params: { suite: string; challenge: string; agreed: boolean }; result: Nothing }
  'evals.stop': { params: { suite: string }; result: Nothing }
  /** The evaluation of a file that is going on, or the last one. */
  'evals.last': { params: { suite: string }; result: { run?: EvalRunView; conversations: EvalConversation[] } }
  /** The prompt and the answer of one conversation of the last evaluation. */
  'evals.conversation': {
    params: { suite: string; number: number }
    result: { prompt: string; answer: PlaygroundAnswer }
  }
  /** The report of the last evaluation, as a file. */
  'evals.report': { params: { suite: string; format: 'junit' | 'json' }; result: { name: string; text: string } }
}

export type EvalEvent =
  /** `conversations` are those that ended since the last such event. */
  { type: 'eval-run'; run: EvalRunView; conversations: EvalConversation[] }
