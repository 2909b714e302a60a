import { type Bridge, type BridgeEvent, type BridgeOptions, bridge } from '@tenon/bridge'
import type { Revision } from '@tenon/sdk/client'
import type { CommandCall } from '../command.ts'
import { explain } from '../explain.ts'
import { connectionOptions } from '../server/options.ts'
import { type ResolvedTarget, resolveTarget } from '../server/target.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { paragraph, say } from '../terminal/text.ts'
import { version } from '../version.ts'
import { withLogin } from './login.ts'

const { revision, header, env, cwd, config, 'max-message-bytes': maxMessageBytes } = connectionOptions

/** The options of `connect` and `expose`. Requests of the server go to the client, so there are none for answers. */
export const bridgeOptions = { revision, header, env, cwd, config, 'max-message-bytes': maxMessageBytes } as const

/** The bridge of a command. */
interface Opened {
  link: Bridge
  /** Its name on the command line. */
  label: string
}

/** Finds the target of a command and opens a bridge to it; the server is started or reached when a client comes. */
export async function openBridge(
  call: CommandCall<typeof bridgeOptions>,
  options: Pick<BridgeOptions, 'maxConnections' | 'idleMs' | 'onEvent'> = {},
): Promise<Opened> {
  const { terminal } = call
  const resolved = await resolveTarget(call as unknown as CommandCall<typeof connectionOptions>)
  const connect = withLogin(resolved, terminal, call.signal)
  const traffic = call.options.verbose ? new (await import('../show/traffic.ts')).Traffic(terminal) : undefined
  const chosen = call.options.revision as Revision | undefined
  const link = bridge(
    {
      target: withStderr(
        resolved.target,
        traffic?.stderr ?? ((text) => terminal.note(paragraph(text.replace(/\r?\n$/, '')))),
      ),
      connect: {
        ...connect,
        ...(chosen !== undefined && { revisions: [chosen] }),
        ...traffic?.options,
        onError: (error) => traffic && terminal.warn(terminal.notes.dim(error.message)),
      },
    },
    {
      name: 'tenon',
      version,
      ...options,
      onEvent: (event) => {
        showEvent(event, resolved.label, terminal)
        options.onEvent?.(event)
      },
      onError: (error) => terminal.warn(terminal.notes.dim(String(error))),
    },
  )
  return { link, label: resolved.label }
}

/** Passes the stderr of a program on to the user. */
const withStderr = (target: ResolvedTarget['target'], stderr: (text: string) => void): ResolvedTarget['target'] =>
  typeof target === 'string' ? target : { stderr, ...target }

function showEvent(event: BridgeEvent, label: string, terminal: Terminal): void {
  const { notes } = terminal
  switch (event.kind) {
    case 'opened':
      terminal.note(notes.dim(`Connected to ${event.server ?? label} (${event.revision})`))
      return
    case 'restarted':
      terminal.note(notes.dim('The server was started again'))
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
