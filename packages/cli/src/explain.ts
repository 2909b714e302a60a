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
  if (thrown.name === 'McpError') return explainMcp(thrown as LibraryError)
  if (thrown.name === 'ChatError') return explainKnown(thrown as LibraryError, chatMeanings)
  if (thrown.name === 'HostError') return explainKnown(thrown as LibraryError, hostMeanings)
  if (thrown.name === 'ConfigError') return { exitCode: ExitCode.Usage, code: 'config', message: thrown.message }
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

interface LibraryError extends Error {
  code: string
  status?: number
  challenge?: string
}

function explainKnown({ code, message }: LibraryError, known: ReadonlyMap<string, [ExitCode, string?]>): Explained {
  const [exitCode, hint] = known.get(code) ?? [ExitCode.Failed]
  return { exitCode, code, message, ...(hint && { hint }) }
}

function explainMcp(error: LibraryError): Explained {
  const { code, message, status, challenge } = error
  const known = meanings.get(code)
  if (known === undefined) return { exitCode: ExitCode.Failed, code, message }
  const [exitCode, hint = certificateHint(error)] = known
  // A 403 without a challenge refuses the request itself, such as its Host or Origin: no login changes that.
  const helps = status !== 403 || challenge !== undefined
  return { exitCode, code, message, ...(hint && helps && { hint }) }
}

/** The hint for a certificate that is refused, by the code of the error that Node gives. */
function certificateHint(error: Error): string | undefined {
  const { cause } = error
  if (!(cause instanceof Error)) return undefined
  const { code } = cause as NodeJS.ErrnoException
  return (code === undefined ? undefined : certificateHints.get(code)) ?? certificateHint(cause)
}

const trustIt = 'Trust its authority with --ca FILE, or with NODE_EXTRA_CA_CERTS=FILE for every command'

const certificateHints: ReadonlyMap<string, string> = new Map([
  ...[
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'UNABLE_TO_GET_ISSUER_CERT',
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  ].map((code): [string, string] => [code, `${trustIt}. --insecure takes any certificate.`]),
  ['CERT_HAS_EXPIRED', 'The server needs a new certificate. --insecure takes this one all the same.'],
  ['CERT_NOT_YET_VALID', 'Check the clock of this machine. --insecure takes the certificate all the same.'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'Use the name that the certificate is for. --insecure takes it all the same.'],
])

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

/** Failures of a model, by the code of `ChatError`. */
const chatMeanings = new Map<string, [ExitCode, string?]>([
  ['model_unknown', [ExitCode.Usage]],
  ['provider_missing', [ExitCode.Usage]],
  ['transcript_invalid', [ExitCode.Usage]],
  ['key_missing', [ExitCode.Unauthorized]],
  ['unauthorized', [ExitCode.Unauthorized, 'Check the key in the variable of the provider.']],
  ['unreachable', [ExitCode.Unreachable, 'Check the address, and whether the model runs there.']],
  ['overloaded', [ExitCode.Unreachable, 'Try it again later.']],
  ['rate_limited', [ExitCode.Refused, 'The provider limits requests: try it again later.']],
  ['rejected', [ExitCode.Refused]],
  ['refused', [ExitCode.Refused]],
  ['cut_off', [ExitCode.Refused]],
  ['too_large', [ExitCode.Refused]],
  ['timeout', [ExitCode.Timeout]],
])

/** Failures of a host, by the code of `HostError`. */
const hostMeanings = new Map<string, [ExitCode, string?]>([
  ['invalid_argument', [ExitCode.Usage]],
  ['not_found', [ExitCode.Usage]],
  ['unavailable', [ExitCode.Unreachable]],
  ['closed', [ExitCode.Unreachable]],
  ['untrusted', [ExitCode.Refused]],
  ['denied', [ExitCode.Refused]],
])
