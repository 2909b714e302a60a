import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import {
  type Channel,
  type Client,
  type ConnectOptions,
  connect,
  type LoggingLevel,
  type ServerCapabilities,
  type ServerDescription,
  type TrafficEvent,
} from '@tenon/sdk/client'
import { Asker, type Prepared } from '../ask/asker.ts'
import type { CommandCall } from '../command.ts'
import { keptChannel } from '../keep/kept-channel.ts'
import { hasCredentials, storedAuth } from '../login/stored-auth.ts'
import { hasTokens } from '../login/token-store.ts'
import { showLog } from '../show/log.ts'
import { say } from '../terminal/text.ts'
import { version } from '../version.ts'
import { DeclaredCapabilities } from './declared.ts'
import { explainEnd } from './environment.ts'
import { LastResult } from './last-result.ts'
import type { connectionOptions } from './options.ts'
import { afterAllSteps, isEcho, repeatsItsInput, whileOpening } from './patience.ts'
import { type ResolvedTarget, resolveTarget } from './target.ts'

type ServerCall = CommandCall<typeof connectionOptions>

/** A server that a command works with. */
export interface Connected {
  client: Client
  /** The capabilities in the words of the server. */
  declared: ServerCapabilities
  /** Its name on the command line. */
  label: string
  /** The words that are left for the command. */
  words: string[]
  /** Its address, unless it is a program. */
  url?: URL | undefined
  /** Answers requests of the server. */
  asker: Asker
  /** The newest result of a tool, as the server sent it. */
  lastResult: LastResult
}

/** A connection that is open, for commands that share one. */
export type SharedServer = Omit<Connected, 'words'>

/** Connects to the target of a command, works with it, and always closes it. */
export async function withServer(
  call: ServerCall,
  work: (connected: Connected) => Promise<void>,
  extra: ConnectOptions = {},
  words: readonly string[] = call.words,
): Promise<void> {
  if (call.shared) {
    call.envelope.server = describe(call.shared.client.server)
    return await work({ ...call.shared, words: [...words] })
  }
  const connected = await openServer(call, extra, words)
  try {
    await work(connected)
  } finally {
    await connected.client.close()
  }
}

/** That of the library. */
const defaultTimeoutMs = 60_000

/** A target, or a server that is kept. */
type Resolved = ResolvedTarget & { open?: () => Promise<Channel> }

/**
 * Connects to the target of a command, or to the kept server of that name. One that cannot be used, for example because a
 * login has run out, is reached anew: then the error, or the question, is that of the server itself.
 */
export async function openServer(
  call: ServerCall,
  extra: ConnectOptions = {},
  words: readonly string[] = call.words,
): Promise<Connected> {
  return (await openKept(call, extra, words)) ?? (await openTarget(call, await resolveTarget(call, words), extra))
}

/** Connects to the kept server of a command, if there is one that can be used. */
export async function openKept(
  call: ServerCall,
  extra: ConnectOptions = {},
  words: readonly string[] = call.words,
): Promise<Connected | undefined> {
  const kept = await keptChannel(call, words)
  if (kept === undefined) return undefined
  const opened = await openTarget(call, { ...kept, target: kept.label, options: {} }, extra).catch(() => undefined)
  call.signal.throwIfAborted()
  return opened
}

/** Connects to a target that was found before. */
export async function openTarget(call: ServerCall, resolved: Resolved, extra: ConnectOptions = {}): Promise<Connected> {
  const { terminal } = call
  const heard = new DeclaredCapabilities()
  const lastResult = new LastResult()
  const asker = new Asker(terminal, await preparedAnswers(call))
  const echo = new AbortController()
  const listen = (event: TrafficEvent): void => {
    if (isEcho(event)) echo.abort(repeatsItsInput(resolved.label))
    else heard.take(event)
    lastResult.take(event)
  }
  const signal = AbortSignal.any([call.signal, echo.signal])
  const client = await whileOpening(terminal, resolved, () =>
    open(call, resolved, { signal, ...(resolved.open ? asker.sameForAll : asker.options), ...extra }, listen),
  ).catch(async (thrown: unknown) => {
    const timeoutMs = call.options.timeout ?? resolved.options.timeoutMs ?? defaultTimeoutMs
    throw await explainEnd(afterAllSteps(thrown, timeoutMs), resolved.target, terminal.surroundings)
  })
  call.envelope.server = describe(client.server)
  await setLogLevel(call, client)
  const declared = heard.of(client.server)
  return { client, declared, label: resolved.label, words: resolved.words, url: resolved.url, asker, lastResult }
}

/** The answers of `--elicit` and `--sample`, read before a server is started. */
async function preparedAnswers(call: ServerCall): Promise<Prepared> {
  const { elicit, sample } = call.options
  if (elicit === undefined && sample === undefined) return {}
  const { readElicitAnswers, readSampleAnswers } = await import('../ask/answers.ts')
  const { cwd } = call.terminal.surroundings
  return {
    elicit: elicit === undefined ? undefined : await readElicitAnswers(elicit, cwd),
    sample: sample === undefined ? undefined : await readSampleAnswers(sample, cwd),
  }
}

/** A server without logs does not fail the command. */
async function setLogLevel({ options, terminal, signal }: ServerCall, client: Client): Promise<void> {
  const level = options['log-level'] as LoggingLevel | undefined
  if (level === undefined) return
  await client.setLoggingLevel(level, { signal }).catch((error: Error) => {
    terminal.note(say`${terminal.notes.yellow('warning:')} ${error.message}`)
  })
}

async function open(
  call: ServerCall,
  { target, options, url, open: openKept }: Resolved,
  extra: ConnectOptions,
  heard: (event: TrafficEvent) => void,
): Promise<Client> {
  const { revision, prefer, timeout, root } = call.options
  const { terminal } = call
  const roots = root.map((folder) => ({ uri: pathToFileURL(resolve(terminal.surroundings.cwd, folder)).href }))
  const traffic = call.options.verbose ? new (await import('../show/traffic.ts')).Traffic(terminal) : undefined
  const { onMessage } = { ...traffic?.options, ...extra }
  const reached = traffic && typeof target !== 'string' ? { ...target, stderr: traffic.stderr } : target
  return connect(openKept ?? reached, {
    info: { name: 'tenon', title: 'Tenon', version },
    ...options,
    ...(url &&
      !hasCredentials(options.headers) && {
        auth: storedAuth(url, terminal, call.signal, hasTokens(terminal.surroundings.env)),
      }),
    ...(revision !== undefined && { revisions: [revision as ServerDescription['revision']] }),
    ...(prefer !== undefined && { prefer: prefer as 'newest' | 'session' }),
    // A call with progress has no total limit: the user has Ctrl-C, and may take time to answer requests.
    maxTotalMs: Infinity,
    ...(timeout !== undefined && { timeoutMs: timeout }),
    ...(roots.length > 0 && { roots }),
    onWarning: (message) => terminal.note(say`${terminal.notes.yellow('warning:')} ${inWordsOfOptions(message)}`),
    onLog: (message) => terminal.note(showLog(message, terminal.notes)),
    ...traffic?.options,
    ...extra,
    onMessage: (event) => {
      heard(event)
      onMessage?.(event)
    },
  })
}

/** The library names its option; here it is one of the command line. */
const inWordsOfOptions = (message: string): string => message.replaceAll("`prefer: 'session'`", '--prefer session')

/** How the server appears in the envelope. */
const describe = ({ info, revision }: ServerDescription): object => ({
  ...(info && { name: info.name, version: info.version }),
  revision,
})
