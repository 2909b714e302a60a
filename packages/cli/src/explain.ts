import { CommandFailure, ExitCode } from './exit.ts'

/** An error in the form in which it is shown and put into the envelope. */
export interface Explained {
  exitCode: ExitCode
  code: string
  message: string
  hint?: string
  /** The error of the server, as it came. */
  rpc?: { code: number; data?: unknown }
}

/** Translates a thrown value for the user. */
export function explain(thrown: unknown): Explained {
  const failure = failureIn(thrown)
  if (failure) return explainFailure(failure)
  if (!(thrown instanceof Error)) return { exitCode: ExitCode.Failed, code: 'failed', message: String(thrown) }
  // By name: loading the library only to compare classes would cost every command.
  if (thrown.name === 'RpcError' && 'code' in thrown && thrown.code === -1) return rejected
  if (thrown.name === 'RpcError') return explainRpc(thrown as Error & { code: number; data?: unknown })
  if (thrown.name === 'McpError') return explainMcp(thrown as Error & { code: string })
  if (thrown.name === 'AbortError') return interrupted
  return { exitCode: ExitCode.Failed, code: 'failed', message: thrown.message }
}

const interrupted: Explained = { exitCode: ExitCode.Interrupted, code: 'interrupted', message: 'Cancelled' }

/** A failure that the library passed on as the cause of its own error. */
function failureIn(thrown: unknown): CommandFailure | undefined {
  let error = thrown
  for (let depth = 0; depth < 8 && error instanceof Error; depth++) {
    if (error instanceof CommandFailure) return error
    error = error.cause
  }
  return undefined
}

const explainFailure = ({ exitCode, code, message, hint }: CommandFailure): Explained => ({
  exitCode,
  code,
  message,
  ...(hint !== undefined && { hint }),
})

// The user declined, and the server or the library passes it on.
const rejected: Explained = {
  exitCode: ExitCode.Refused,
  code: 'rejected',
  message: 'The server wants a model to write something, and the answer was no',
  hint: 'Run it on a terminal to write the answer yourself, or give one with --sample.',
}

const explainRpc = ({ code, data, message }: Error & { code: number; data?: unknown }): Explained => ({
  exitCode: ExitCode.Refused,
  code: 'refused',
  message: `The server answered with error ${code}: ${message}`,
  rpc: { code, ...(data !== undefined && { data }) },
})

function explainMcp({ code, message }: Error & { code: string }): Explained {
  const known = meanings.get(code)
  if (known === undefined) return { exitCode: ExitCode.Failed, code, message }
  const [exitCode, hint] = known
  return { exitCode, code, message, ...(hint && { hint }) }
}

const meanings = new Map<string, [ExitCode, string?]>([
  ['timeout', [ExitCode.Timeout, 'Wait longer with --timeout, for example --timeout 5m.']],
  ['cancelled', [ExitCode.Interrupted]],
  ['closed', [ExitCode.Unreachable]],
  ['spawn', [ExitCode.Unreachable, 'The words after -- are a program and its arguments, started without a shell.']],
  ['http', [ExitCode.Unreachable, 'Check the URL: many servers listen at the path /mcp.']],
  [
    'negotiation',
    [ExitCode.Unreachable, 'Check the URL (many servers listen at the path /mcp), or try another --revision.'],
  ],
  ['session_expired', [ExitCode.Unreachable, 'Run the command again: it begins a new session.']],
  [
    'unauthorized',
    [ExitCode.Unauthorized, 'Log in with `tenon auth login <url>`, or give --header "Authorization: …".'],
  ],
  ['unsupported', [ExitCode.Refused, 'What the server can do is shown by `tenon info`.']],
  ['invalid_argument', [ExitCode.Usage]],
  [
    'too_large',
    [ExitCode.Refused, 'Take larger messages with --max-message-bytes, for example --max-message-bytes 64M.'],
  ],
  ['invalid_result', [ExitCode.Refused, 'The server broke the protocol; --verbose shows the messages.']],
])
