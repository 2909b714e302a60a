// Loaded with the first message: a workbench without conversations needs none of it.
import { chat, createTranscript, type TranscriptEntry } from '@tenon/host/chat'
import type { Workbench } from '../workbench.ts'
import { BenchToolbox, doubledNames } from './bench-toolbox.ts'
import { PlaygroundConsent } from './consent.ts'
import { findModel } from './find-model.ts'
import type { GrowingAnswer } from './growing-answer.ts'
import type { ModelKeys } from './model-keys.ts'

export interface Conversing {
  bench: Workbench
  keys: ModelKeys
  consent: PlaygroundConsent
  model: string
  text: string
  /** The conversation so far. */
  before: readonly TranscriptEntry[]
  answer: GrowingAnswer
  signal: AbortSignal
}

export type { TranscriptEntry }
export { PlaygroundConsent }

// Everything that a model writes goes to the page, again and again while it grows.
const limits = { maxAnswerBytes: 256 * 1024 }

/** Lets a model answer; gives the whole conversation, with the answer. */
export async function converse(conversing: Conversing): Promise<readonly TranscriptEntry[]> {
  const { bench, consent, answer, signal, before, text } = conversing
  const transcript = createTranscript({ type: 'tenon-transcript', version: 1, entries: [...before] })
  const toolbox = new BenchToolbox(bench, {
    consent,
    signal,
    idOf: (callId) => answer.idOf(callId),
    learned: (callId, facts) => answer.learned(callId, facts),
  })
  for (const name of doubledNames(bench)) {
    answer.notice(`Several connected servers are called ${name}: their tools are left out. Give them other names.`)
  }
  try {
    const model = await findModel(conversing.model, conversing.keys, toolbox.tools)
    for await (const event of chat(toolbox, model, text, { transcript, signal, limits })) answer.take(event)
  } catch (error) {
    answer.fail(error)
  }
  return transcript.entries
}
