import type { JsonObject } from '@tenon/sdk/client'
import type { Problem } from './protocol.ts'

/** Conversations with models that use the tools of the connected servers. */
export interface PlaygroundView {
  /** One name, or two that answer side by side. `offline` follows a script, and needs no key. */
  models: string[]
  turns: PlaygroundTurn[]
  /** The providers and addresses whose key is kept. The keys stay in the backend. */
  keys: string[]
}

/** A message of the person, and the answer of each model. */
export interface PlaygroundTurn {
  id: string
  text: string
  answers: PlaygroundAnswer[]
}

export interface PlaygroundAnswer {
  model: string
  parts: AnswerPart[]
  /** Missing while the model answers. */
  end?: AnswerEnd
}

/** How an answer ended: the reason of the conversation, or `failed` with the problem. */
export interface AnswerEnd {
  reason: string
  durationMs: number
  steps?: number
  inputTokens?: number
  outputTokens?: number
  problem?: Problem
}

export type AnswerPart = { kind: 'text' | 'reasoning' | 'notice'; text: string } | ToolUse

/** A tool call of a model. */
export interface ToolUse {
  kind: 'call'
  /** Of this use alone; a question for consent names it. */
  id: string
  /** The name that the model sees. */
  name: string
  /** Missing for tools of the conversation itself, such as one that searches for tools. */
  server?: string
  /** The name of the tool at its server. */
  tool?: string
  /** As the person allowed them, if that was not what the model wrote. */
  arguments: JsonObject
  /** The call, once it was allowed. */
  call?: string
  /** The row of its request in the timeline. */
  row?: number
  durationMs?: number
  outcome?: 'ok' | 'error' | 'refused' | 'cancelled' | 'interrupted' | 'limit'
  /** Missing if it is too large to be shown here. */
  result?: JsonObject
}

/** A message and the calls of an answer, as prompt and checks. */
export interface PlaygroundCase {
  /** A file with this case alone: its name and its text. */
  name: string
  text: string
  case: JsonObject
  /** The servers that were used, and the calls that the person allowed, as `server.tool`. */
  servers: string[]
  allow: string[]
}

type Nothing = Record<string, never>

export interface PlaygroundCommands {
  /** Puts a message to the models. With a turn, that one and all after it are taken back first. */
  'playground.send': { params: { text: string; turn?: string }; result: { turn: string } }
  /** Ends the answers that are being given. */
  'playground.stop': { params: Nothing; result: Nothing }
  /** Begins a new conversation. */
  'playground.clear': { params: Nothing; result: Nothing }
  'playground.setModels': { params: { models: string[] }; result: Nothing }
  /** Keeps the key of the provider of a model, or forgets it if there is none. */
  'playground.setKey': { params: { model: string; key?: string }; result: Nothing }
  /** A turn as a case for `tenon eval`. */
  'playground.evalCase': { params: { turn: string; answer: number }; result: PlaygroundCase }
}

export type PlaygroundEvent =
  | { type: 'playground'; playground: PlaygroundView }
  /** One answer has grown. */
  | { type: 'playground-answer'; turn: string; index: number; answer: PlaygroundAnswer }
