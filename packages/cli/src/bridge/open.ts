import { type Bridge, type BridgeEvent, type BridgeOptions, bridge } from '@tenon/bridge'
import { isMcpError, type ProcessTarget, type Revision } from '@tenon/sdk/client'
import type { CommandCall } from '../command.ts'
import { usage } from '../exit.ts'
import { explain } from '../explain.ts'
import { connectionOptions, targetOptions } from '../server/options.ts'
import { type ResolvedTarget, resolveTarget } from '../server/target.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { paragraph, say } from '../terminal/text.ts'
import { version } from '../version.ts'
import { withLogin } from './login.ts'

const { revision } = connectionOptions

/** The options of `connect` and `expose`. Requests of the server go to the client, so there are none for answers. */
export const bridgeOptions = {
  revision,
  ...targetOptions,
  restart: { type: 'flag', help: 'Start a program that ended by itself again, for the same session' },
} as const

/** The bridge of a command. */
interface Opened {
  link: Bridge
  /** Its name on the command line. */
  label: string
}

/** Finds the target of a command and opens a bridge to it; the server is started or reached when a client comes. */
export async function openBridge(
  call: CommandCall<typeof bridgeOptions>,
  options: Pick<BridgeOptions, 'maxConnections' | 'idleMs' | 'offers' | 'onEvent'> = {},
  words: readonly string[] = call.words,
): Promise<Opened> {
  const { terminal } = call
  const resolved = await resolveTarget(call, words)
  const { restart } = call.options
  if (restart && typeof resolved.target === 'string')
    throw usage('--restart is for programs, and the target is a URL', 'A server at a URL is reached again by itself.')
  const connect = withLogin(resolved, terminal, call.signal)
  const traffic = call.options.verbose ? new (await import('../show/traffic.ts')).Traffic(terminal) : undefined
  const chosen = call.options.revision as Revision | undefined
  const link = bridge(
    {
      target: programOptions(resolved.target, {
        stderr: traffic?.stderr ?? ((text) => terminal.note(paragraph(text.replace(/\r?\n$/, '')))),
        ...(restart && { restart }),
      }),
      connect: {
        ...connect,
        ...(chosen !== undefined && { revisions: [chosen] }),
        ...traffic?.options,
        // Of a connection that is made anew the user hears, of every other fault only with --verbose.
        onError: (error) => (traffic || isLost(error)) && terminal.warn(terminal.notes.dim(error.message)),
      },
    },
    {
      name: 'tenon',
      version,
      ...options,
      onEvent: (event) => {
        showEvent(event, resolved, terminal)
        options.onEvent?.(event)
      },
      onError: (error) => terminal.warn(terminal.notes.dim(String(error))),
    },
  )
  return { link, label: resolved.label }
}

/** A target with options that only programs have. */
const programOptions = (
  target: ResolvedTarget['target'],
  options: Pick<ProcessTarget, 'stderr' | 'restart'>,
): ResolvedTarget['target'] => (typeof target === 'string' ? target : { ...options, ...target })

const isLost = (error: Error): boolean => isMcpError(error) && error.code === 'closed'

function showEvent(event: BridgeEvent, { label, target }: ResolvedTarget, terminal: Terminal): void {
  const { notes } = terminal
  switch (event.kind) {
    case 'opened':
      terminal.note(notes.dim(`Connected to ${event.server ?? label} (${event.revision})`))
      return
    case 'restarted':
      terminal.note(notes.dim(`The server ${typeof target === 'string' ? 'is back' : 'was started again'}`))
      return
    case 'failed': {
      const { message, hint } = explain(event.error)
      terminal.warn(say`${notes.red(notes.bold('error:'))} ${message}`)
      if (hint !== undefined) terminal.warn(say`${notes.dim('hint:')} ${hint}`)
      return
    }
    case 'lost':
      terminal.warn(say`${notes.red(notes.bold('error:'))} ${event.reason.message}`)
  }
}
