import type { TrafficEvent } from '@tenon/sdk/client'
import { CommandFailure, ExitCode } from '../exit.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { say } from '../terminal/text.ts'
import type { ResolvedTarget } from './target.ts'

// A first start with npx or uvx takes this long, and a person begins to wonder.
const noteMs = 3_000

/** Says that a server is being started or reached, and after a while that it has not answered yet. */
export async function whileOpening<T>(
  terminal: Terminal,
  { label, target }: Pick<ResolvedTarget, 'label' | 'target'>,
  work: () => Promise<T>,
): Promise<T> {
  const { activity } = terminal
  const doing = typeof target === 'string' ? say`Connecting to ${label}` : say`Starting ${label}`
  const began = performance.now()
  const timer = setTimeout(() => {
    const later = say`${doing}… no answer yet; --timeout says how long to wait, Ctrl-C ends it`
    if (!activity.isShown) terminal.note(terminal.notes.dim(String(later)))
  }, noteMs)
  const seconds = setInterval(() => {
    const passed = performance.now() - began
    if (passed >= noteMs) activity.say(say`${doing}… no answer yet, ${Math.round(passed / 1000)} s`)
  }, 1_000)
  try {
    return await activity.during(say`${doing}…`, work)
  } finally {
    clearTimeout(timer)
    clearInterval(seconds)
  }
}

/** Whether a program repeats the greeting of the client, as `cat` does: no server sends these requests. */
export const isEcho = ({ from, payload }: TrafficEvent): boolean => {
  if (from !== 'server') return false
  const { method } = (payload ?? {}) as { method?: unknown }
  return method === 'initialize' || method === 'server/discover'
}

export const repeatsItsInput = (label: string): CommandFailure =>
  new CommandFailure(
    ExitCode.Unreachable,
    'negotiation',
    `${label} repeats its input: it is not an MCP server`,
    'The words after -- are a program that speaks MCP on its standard input and output.',
  )

/** The failure to open a connection in time: the handshake has several steps, and the time is that of all of them. */
export function afterAllSteps(thrown: unknown, timeoutMs: number): unknown {
  const { name, code, message } = thrown as { name?: string; code?: unknown; message: string }
  if (name !== 'McpError' || code !== 'timeout' || !Number.isFinite(timeoutMs)) return thrown
  const text = message.replace(/\bwithin \d+ ms/, `within ${timeoutMs} ms`)
  const hint = 'Wait longer with --timeout, for example --timeout 5m.'
  return new CommandFailure(ExitCode.Timeout, 'timeout', text, hint, { cause: thrown })
}
