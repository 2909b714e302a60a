import { readFile } from 'node:fs/promises'
import { ChatError } from '../chat/chat-error.ts'
import { callsOf, textOf } from '../chat/transcript/conversation.ts'
import { type AssistantEntry, assertEntry, assertHeader, transcriptHeader } from '../chat/transcript/transcript.ts'
import type { ScriptedRule } from './script.ts'

const invalid = (path: string, expected: string, cause?: unknown): ChatError =>
  new ChatError('model_unknown', `The script ${path} cannot be used: expected ${expected}`, { cause })

function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw invalid(path, 'JSON with "rules" or "replies", or a transcript', cause)
  }
}

/** Each answer of a recorded conversation, at its place. */
function rulesOfTranscript(values: readonly unknown[], path: string): ScriptedRule[] {
  const entries = values.map((value, index) => assertEntry(value, `${path}, entry ${index + 1}`))
  const answers = entries.filter((entry): entry is AssistantEntry => entry.type === 'assistant')
  return answers.map((answer, index) => ({
    step: index + 1,
    text: textOf(answer),
    calls: callsOf(answer).map(({ callId, name, arguments: args }) => ({ id: callId, name, arguments: args })),
    usage: answer.usage,
  }))
}

/**
 * The rules of a file: JSON with `rules`, with `replies` that are given one after the other, or a transcript, as a file
 * of lines or as JSON.
 */
export async function readScript(path: string): Promise<ScriptedRule[]> {
  const text = await readFile(path, 'utf8').catch((cause: Error) => {
    throw new ChatError('model_unknown', `The script ${path} cannot be read: ${cause.message}`, { cause })
  })
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  if (
    lines[0]?.includes(`"${transcriptHeader.type}"`) &&
    lines[0].trimEnd().endsWith('}') &&
    !lines[0].includes('"entries"')
  ) {
    const [header, ...entries] = lines.map((line) => parse(line, path))
    assertHeader(header, path)
    return rulesOfTranscript(entries, path)
  }
  const value = parse(text, path) as { type?: unknown; rules?: unknown; replies?: unknown; entries?: unknown } | null
  if (value?.type === transcriptHeader.type && Array.isArray(value.entries)) {
    assertHeader(value, path)
    return rulesOfTranscript(value.entries, path)
  }
  if (Array.isArray(value?.rules)) return value.rules as ScriptedRule[]
  if (Array.isArray(value?.replies)) {
    return (value.replies as ScriptedRule[]).map((reply, index) => ({ ...reply, step: index + 1 }))
  }
  throw invalid(path, 'JSON with "rules" or "replies", or a transcript')
}
