import { createInterface } from 'node:readline'
import { yesOrNo } from '../ask/yes-or-no.ts'
import type { CommandCall } from '../command.ts'
import { commonOptions } from '../command.ts'
import { loadCommand } from '../commands.ts'
import { candidates } from '../complete/candidates.ts'
import { ExitCode } from '../exit.ts'
import type { connectionOptions } from '../server/options.ts'
import type { Keyboard } from '../terminal/keyboard.ts'
import { say } from '../terminal/text.ts'
import { cut } from '../terminal/width.ts'
import { History, oneLine } from './history.ts'
import { isQuit, lineCommands, runLine, sharedCommands } from './run-line.ts'
import type { ReplSession } from './session.ts'
import { splitWords } from './split.ts'

type ReplCall = CommandCall<typeof connectionOptions>

/** Reads commands from a person until they leave. */
export async function readCommands(call: ReplCall, session: ReplSession): Promise<void> {
  const { terminal } = call
  const history = new History(terminal.surroundings.env)
  const { output } = terminal.surroundings
  const keyboard = await output.openKeyboard(await history.load())
  let running: AbortController | undefined
  const leave = new AbortController()
  keyboard.onInterrupt = () => {
    if (running?.signal.aborted) leave.abort()
    else if (running) running.abort(new DOMException('Cancelled', 'AbortError'))
    else if (!keyboard.clear()) terminal.note(say`Type quit or press Ctrl-D to leave.`)
  }
  const left = new Promise<void>((resolve) => leave.signal.addEventListener('abort', () => resolve()))
  const complete = (line: string): Promise<[string[], string]> => completeLine(line, session, call)
  try {
    while (!call.signal.aborted && !leave.signal.aborted) {
      const text = await readCommand(keyboard, session, complete, call.signal)
      if (text === undefined || isQuit(text)) return
      if (text.trim() === '') continue
      keyboard.remember(oneLine(text))
      await history.add(text)
      if (!(await isConnected(session, call, text))) continue
      running = new AbortController()
      const signal = AbortSignal.any([call.signal, running.signal])
      await Promise.race([runLine(text, { session, call, signal }), left])
      running = undefined
    }
  } finally {
    output.closeKeyboard()
  }
}

/** One command, in as many lines as its quotes and brackets need. */
async function readCommand(
  keyboard: Keyboard,
  session: ReplSession,
  complete: (line: string) => Promise<[string[], string]>,
  signal: AbortSignal,
): Promise<string | undefined> {
  const name = session.connected?.client.server.info?.name ?? session.connected?.label ?? 'tenon'
  let text = await keyboard.read(say`${cut(name, 30)}> `, { signal, fresh: false, complete })
  while (text !== undefined && splitWords(text).isOpen) {
    const more = await keyboard.read(say`… `, { signal, fresh: false })
    if (more === undefined) return ''
    text += `\n${more}`
  }
  return text
}

/** A connection that is gone is offered anew. */
async function isConnected(session: ReplSession, call: ReplCall, text: string): Promise<boolean> {
  if (session.connected || /^\s*(?:reconnect|help)\b/.test(text)) return true
  if (!(await yesOrNo('There is no connection. Connect again?', true, call.terminal, call.signal))) return false
  return (await runLine('reconnect', { session, call, signal: call.signal })) === ExitCode.Ok
}

/** Runs the lines of a script. The exit code is that of the first failure, which ends it with `strict`. */
export async function runScript(call: ReplCall, session: ReplSession, strict: boolean): Promise<void> {
  const { signal, terminal } = call
  let text = ''
  const run = async (): Promise<boolean> => {
    const command = text
    text = ''
    if (isQuit(command)) return false
    const code = await runLine(command, { session, call, signal })
    if (code !== ExitCode.Ok && call.exitCode === ExitCode.Ok) call.exitCode = code as ExitCode
    return !signal.aborted && (code === ExitCode.Ok || !strict)
  }
  for await (const line of createInterface({ input: terminal.surroundings.stdin })) {
    if (text === '' && /^\s*(?:#|$)/.test(line)) continue
    text = text === '' ? line : `${text}\n${line}`
    if (!splitWords(text).isOpen && !(await run())) return
  }
  if (text !== '') await run()
}

/** The completions of a line. */
async function completeLine(line: string, session: ReplSession, call: ReplCall): Promise<[string[], string]> {
  const { words, lastAt } = splitWords(line)
  const raw = line.slice(lastAt)
  const current = raw === '' ? '' : words.at(-1)!
  const before = raw === '' ? words : words.slice(0, -1)
  const catalog = session.connected?.catalog
  const found = await (before.length === 0
    ? firstWords(current, catalog)
    : catalog
      ? laterWords(before, current, catalog, call)
      : Promise.resolve([]))
  return [found.sort().map((candidate) => (/[=/]$/.test(candidate) ? quoted(candidate) : `${quoted(candidate)} `)), raw]
}

type Catalog = NonNullable<ReplSession['connected']>['catalog']

async function firstWords(current: string, catalog: Catalog | undefined): Promise<string[]> {
  const tools = (await catalog?.tools()) ?? []
  return [...lineCommands, ...tools.map(({ name }) => name)].filter((name) => name.startsWith(current))
}

async function laterWords(
  [first, ...words]: string[],
  current: string,
  catalog: Catalog,
  call: ReplCall,
): Promise<string[]> {
  if (first === 'help') return lineCommands.filter((name) => name.startsWith(current))
  const isShared = (sharedCommands as readonly string[]).includes(first!)
  const isTool = !lineCommands.includes(first!)
  const command = isTool ? 'call' : first!
  const options = isShared || isTool ? { ...(await loadCommand(command))?.options, ...commonOptions } : {}
  const { cwd } = call.terminal.surroundings
  return await candidates({ command, words: isTool ? [first!, ...words] : words, current, options, cwd }, catalog)
}

const quoted = (word: string): string => (/[\s"'\\]/.test(word) ? `'${word.replaceAll("'", `'"'"'`)}'` : word)
