import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileSink, type Recorder, recorder } from '@tenon/replay'
import type { Target } from '@tenon/sdk/client'
import type { CommandCall } from '../command.ts'
import { usage } from '../exit.ts'
import type { OptionTable } from '../line/options.ts'
import { say, type TerminalText } from '../terminal/text.ts'
import { version } from '../version.ts'

/** The options of every recording. */
export const recordingOptions = {
  output: { type: 'text', short: 'o', value: 'file', help: 'Write to this file (session.jsonl)' },
  force: { type: 'flag', help: 'Replace a file that is there' },
  title: { type: 'text', value: 'text', help: 'A title for the recording' },
  redact: { type: 'list', value: 'name', help: 'Leave out values of this name, besides those that look secret' },
  keep: { type: 'list', value: 'name', help: 'Write values of this name, though they look secret' },
  'no-redact': { type: 'flag', help: 'Write everything as it is, secrets too' },
} as const satisfies OptionTable

/** A file that is being written, and its name as it was given. */
interface OpenRecording {
  recording: Recorder
  file: string
}

/** Begins a recording; a file that is there is replaced only on request. */
export async function beginRecording(
  call: CommandCall<typeof recordingOptions>,
  target: Target,
): Promise<OpenRecording> {
  const { output: file = 'session.jsonl', force, title, redact: names, keep } = call.options
  const path = resolve(call.terminal.surroundings.cwd, file)
  if (existsSync(path) && !force)
    throw usage(`${file} is there already`, 'Give another file with --output, or --force.')
  const sink = await fileSink(path).catch((error: Error) => {
    throw usage(`Cannot write ${file}: ${error.message}`)
  })
  const recording = recorder(sink, {
    target,
    by: `tenon/${version}`,
    ...(title !== undefined && { title }),
    redact: call.options['no-redact'] ? false : { names, keep },
  })
  return { recording, file }
}

/** A summary of the recording. */
export const recordingSummary = ({ recording, file }: OpenRecording): TerminalText =>
  say`${file}: ${recording.messages} messages${recording.redacted > 0 ? `, ${recording.redacted} values left out` : ''}`
