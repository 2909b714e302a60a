import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Client, type ConnectOptions, connect, type ServerDescription } from '@tenon/sdk/client'
import { Asker, type Prepared } from '../ask/asker.ts'
import type { CommandCall } from '../command.ts'
import { visibleLine } from '../terminal/visible.ts'
import { version } from '../version.ts'
import type { connectionOptions } from './options.ts'
import { type ResolvedTarget, resolveTarget } from './target.ts'

/** A server that a command works with. */
export interface Connected {
  client: Client
  /** What it is called on the command line. */
  label: string
  /** The words that are left for the command. */
  words: string[]
  /** Who answers when the server asks. */
  asker: Asker
}

/** A connection that is open, for commands that share one. */
export type SharedServer = Omit<Connected, 'words'>

/** Connects to the target of a command, works with it, and closes it whatever happens. */
export async function withServer(
  call: CommandCall<typeof connectionOptions>,
  work: (connected: Connected) => Promise<void>,
  extra: ConnectOptions = {},
): Promise<void> {
  if (call.shared) {
    call.envelope.server = describe(call.shared.client.server)
    return await work({ ...call.shared, words: call.words })
  }
  const connected = await openServer(call, extra)
  try {
    await work(connected)
  } finally {
    await connected.client.close()
  }
}

/** Connects to the target of a command. */
export async function openServer(
  call: CommandCall<typeof connectionOptions>,
  extra: ConnectOptions = {},
): Promise<Connected> {
  const resolved = await resolveTarget(call)
  const { terminal } = call
  const asker = new Asker(terminal, await preparedAnswers(call))
  const client = await terminal.activity.during(`Connecting to ${resolved.label}`, () =>
    open(call, resolved, { ...asker.options, ...extra }),
  )
  call.envelope.server = describe(client.server)
  return { client, label: resolved.label, words: resolved.words, asker }
}

/** What `--elicit` and `--sample` say; read first, because a wrong file is no reason to start a server. */
async function preparedAnswers(call: CommandCall<typeof connectionOptions>): Promise<Prepared> {
  const { elicit, sample } = call.options
  if (elicit === undefined && sample === undefined) return {}
  const { readElicitAnswers, readSampleAnswers } = await import('../ask/answers.ts')
  const { cwd } = call.terminal.surroundings
  return {
    elicit: elicit === undefined ? undefined : await readElicitAnswers(elicit, cwd),
    sample: sample === undefined ? undefined : await readSampleAnswers(sample, cwd),
  }
}

const open = (
  call: CommandCall<typeof connectionOptions>,
  { target, options }: ResolvedTarget,
  extra: ConnectOptions,
): Promise<Client> => {
  const { revision, timeout, root } = call.options
  const { terminal } = call
  const roots = root.map((folder) => ({ uri: pathToFileURL(resolve(terminal.surroundings.cwd, folder)).href }))
  return connect(target, {
    info: { name: 'tenon', title: 'Tenon', version },
    ...options,
    ...(revision !== undefined && { revisions: [revision as ServerDescription['revision']] }),
    ...(timeout !== undefined && {
      timeoutMs: timeout,
      maxTotalMs: Infinity,
      probeTimeoutMs: Math.min(timeout, 5_000),
    }),
    ...(roots.length > 0 && { roots }),
    onWarning: (message) => terminal.note(`${terminal.notes.yellow('warning:')} ${visibleLine(message)}`),
    signal: call.signal,
    ...extra,
  })
}

/** How the server appears in the envelope. */
const describe = ({ info, revision }: ServerDescription): object => ({
  ...(info && { name: info.name, version: info.version }),
  revision,
})
