import type { JsonObject } from '@tenon/sdk/client'
import type { Challenge, Problem } from './protocol.ts'

/** A file of saved calls. */
export interface Collection {
  /** The name of its file. */
  id: string
  title: string
  /** The names of the servers in the file. */
  servers: string[]
  /** The revisions that the file asks for; none means the newest that the server has. */
  revisions: string[]
  calls: SavedCallView[]
  /** Mistakes in the file: its calls cannot be run before they are mended. */
  problems: FileProblem[]
}

/** One call of a file. */
export interface SavedCallView {
  /** Which of the calls of the file, counted from 0. */
  index: number
  name: string
  server: string
  /** As it stands in the file. */
  source: JsonObject
}

export interface FileProblem {
  line: number
  column: number
  message: string
}

/** Calls of a file that are being made, or have been. */
export interface SavedRun {
  id: string
  collection: string
  /** How many results there will be. */
  total: number
  state: 'running' | 'done' | 'stopped'
  /** A program that the person has to allow before the run continues. */
  challenge?: Challenge
  problem?: Problem
}

/** The result of one call in one revision. */
export interface SavedResult {
  index: number
  name: string
  server: string
  revision?: string
  status: 'passed' | 'failed' | 'skipped'
  durationMs: number
  failures: SavedFailure[]
  warnings: string[]
  /** The answer, in the words that expectations use; left out if it is very long. */
  outcome?: JsonObject
}

/** An expectation that was not met. */
export interface SavedFailure {
  path: string
  message: string
  expected?: unknown
  found?: unknown
  /** Its place in the file. */
  line?: number
}

/** The commands of saved calls. */
export interface SavedCommands {
  'saved.list': { params: Record<string, never>; result: { folder: string; collections: Collection[] } }
  /** Adds a call, or replaces one; `collection` is the name of a file, or a title for a new one. */
  'saved.put': {
    params: { collection: string; index?: number; call: JsonObject; server?: string }
    result: { collection: Collection; index: number }
  }
  'saved.remove': { params: { collection: string; index: number }; result: { collection: Collection } }
  /** Removes the file. */
  'saved.delete': { params: { collection: string }; result: Record<string, never> }
  'saved.text': { params: { collection: string }; result: { text: string } }
  /** Writes a file as it is given; mistakes in it are reported and do not stop it. */
  'saved.write': { params: { collection: string; text: string; isNew?: boolean }; result: { collection: Collection } }
  /** Makes calls of a file. Results come as events. */
  'saved.run': {
    params: { collection: string; calls?: number[]; revisions?: string[]; server?: string }
    result: { run: string }
  }
  'saved.agree': { params: { run: string; challenge: string; agreed: boolean }; result: Record<string, never> }
  'saved.stop': { params: { run: string }; result: Record<string, never> }
}
