import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type CallsFile, callsFromSession, loadCalls } from '@tenon/replay'
import type { CommandCall } from '../command.ts'
import { usage } from '../exit.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { say } from '../terminal/text.ts'
import { loadSession } from './session-file.ts'

/** The calls of a recorded session, each with the recorded result as its expectation. */
export async function loadSessionCalls(session: string, terminal: Terminal): Promise<CallsFile> {
  const file = loadCalls(await textOf(session, terminal), session)
  if (file.calls.length === 0) throw usage(`${session} has no calls`, 'Record some: tenon record --help.')
  return file
}

const textOf = async (session: string, terminal: Terminal): Promise<string> =>
  callsFromSession(await loadSession(session, terminal), { title: session })

type Call = CommandCall<{
  from: { type: 'list'; value: string; help: string }
  output: { type: 'text'; value: string; help: string }
}>

/** Writes the calls of a recorded session to a file, for a person to edit. A file that is there is kept. */
export async function writeSessionCalls(call: Call): Promise<void> {
  const { terminal, words, options } = call
  const { from, output } = options
  const [session, ...others] = from
  if (session === undefined || others.length + words.length > 0) {
    throw usage('--output writes the calls of one --from', 'For example: --from session.jsonl --output calls.yaml')
  }
  const text = await textOf(session, terminal)
  const { length } = loadCalls(text, session).calls
  const file = resolve(terminal.surroundings.cwd, output!)
  await writeFile(file, text, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') throw usage(`${output} is there already`, 'Give another file with --output.')
    throw usage(`Cannot write ${output}: ${error.message}`)
  })
  await call.result({ file, calls: length }, () => terminal.note(say`${output!}: ${length} calls`))
}
