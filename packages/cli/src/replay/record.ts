import { resolve } from 'node:path'
import { type CallsFile, type Recorder, recordingProxy } from '@tenon/replay'
import { type Client, openChannel } from '@tenon/sdk/client'
import { stdioChannel } from '@tenon/sdk/stdio'
import type { CommandCall } from '../command.ts'
import { lists } from '../list/lists.ts'
import { openServer } from '../server/connect.ts'
import type { connectionOptions } from '../server/options.ts'
import type { ResolvedTarget } from '../server/target.ts'
import { say } from '../terminal/text.ts'
import { collect } from '../values/find-by-name.ts'
import { loadSavedCalls } from './saved-calls.ts'

type Call = CommandCall<typeof connectionOptions>

const hooks = ({ onMessage, onHttp }: Recorder): Pick<Recorder, 'onMessage' | 'onHttp'> => ({ onMessage, onHttp })

/** Passes messages between a host and its server, and records them. */
export async function recordHost(call: Call, { target, options }: ResolvedTarget, recording: Recorder): Promise<void> {
  const { output } = call.terminal.surroundings
  const heard = (text: string): void => {
    recording.stderr(text)
    output.passOnNote(text)
  }
  const server = await openChannel(typeof target === 'string' ? target : { ...target, stderr: heard }, {
    ...options,
    onHttp: recording.onHttp,
  })
  const close = (): void => void server.close()
  call.signal.addEventListener('abort', close, { once: true })
  const reason = await recordingProxy(stdioChannel(output.connection), server, recording)
  if (reason) throw reason
}

/** Makes the calls of a file. */
export async function recordCalls(call: Call, file: string, recording: Recorder): Promise<void> {
  const { runCalls } = await import('@tenon/replay')
  const saved = await loadSavedCalls(resolve(call.terminal.surroundings.cwd, file), file)
  await runCalls(saved, {
    signal: call.signal,
    connect: async (_server, options) => {
      const { client } = await openServer(call, { ...options, ...hooks(recording) })
      await listAll(client, saved)
      return client
    },
  })
}

/** Every list that the calls do not ask for: a client of the replay looks for a tool before it calls it. */
async function listAll(client: Client, { calls }: CallsFile): Promise<void> {
  const asked = new Set<string>(calls.flatMap(({ operation }) => (operation.kind === 'list' ? [operation.what] : [])))
  for (const [kind, { capability, items }] of lists) {
    if (asked.has(kind) || !Object.hasOwn(client.server.capabilities, capability)) continue
    // A list that fails is recorded as it failed.
    await collect(items(client)).catch(() => {})
  }
}

/** Lets the person at the terminal type commands. */
export async function recordRepl(call: Call, recording: Recorder): Promise<void> {
  const { ReplSession } = await import('../repl/session.ts')
  const { readCommands } = await import('../repl/loop.ts')
  const session = new ReplSession(call, hooks(recording))
  await session.connect()
  call.terminal.note(say`Everything is recorded. Type help, or press Tab; Ctrl-D ends the recording.`)
  try {
    await readCommands(call, session)
  } finally {
    await session.close()
  }
}
