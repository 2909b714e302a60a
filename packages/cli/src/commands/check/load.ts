import type { Client } from '@tenon/sdk/client'
import { command } from '../../command.ts'
import { CommandFailure, ExitCode, usage } from '../../exit.ts'
import { explain } from '../../explain.ts'
import { type CallFailure, type Clock, LoadResult, runLoad } from '../../load/run-load.ts'
import { loadJson, progressText, showLoad } from '../../load/show-load.ts'
import { withServer } from '../../server/connect.ts'
import { splitDottedName } from '../../server/dotted-name.ts'
import { connectionOptions } from '../../server/options.ts'
import { type Arguments, readArguments } from '../../values/arguments.ts'
import { checkArguments } from '../../values/check-arguments.ts'
import { findByName } from '../../values/find-by-name.ts'

const defaultDurationMs = 10_000
const progressMs = 200

export default command({
  name: 'load',
  summary: 'Call a tool many times, and measure it',
  usage: ['<target> <tool> [argument…]', '<tool> [argument…] -- <program> [argument…]'],
  details:
    'Calls one tool with the same arguments, on one connection: as fast as --concurrency allows, or at a --rate. With a rate the latency of a call counts from the time at which it was due, so that a server that stops for a while shows in the percentiles; service is the time from the moment of sending. Exits with 5, 6, 7 or 3 if calls failed, after the most frequent reason.',
  examples: [
    { line: 'tenon load everything add a=19 b=23 --count 200 --concurrency 8', shows: '200 calls, 8 at once' },
    {
      line: 'tenon load everything echo message=hello --rate 100 --duration 2s',
      shows: '100 calls in a second, for 2 s',
    },
    { line: 'tenon load everything add 1 2 --count 100 --json', shows: 'the measurement as data' },
  ],
  options: {
    concurrency: { type: 'number', value: 'number', min: 1, max: 1_000, help: 'Calls at once (1; with --rate 100)' },
    rate: { type: 'number', value: 'number', min: 0.001, max: 1_000_000, help: 'Calls that are due in a second' },
    duration: { type: 'time', short: 'd', help: 'Begin calls for this time (10s, or until --count)' },
    count: { type: 'number', short: 'n', value: 'number', min: 1, max: 1_000_000_000, help: 'Begin this many calls' },
    ...connectionOptions,
  },
  async run(call) {
    const { terminal, signal, options } = call
    const { rate, count } = options
    const durationMs = options.duration ?? (count === undefined ? defaultDurationMs : Infinity)
    if (durationMs === Infinity && count === undefined) throw usage('--duration none needs --count')
    await withServer(
      call,
      async ({ client, label, words }) => {
        const [name, ...given] = words
        if (name === undefined) throw usage('Expected the name of a tool', '`tenon list <target> tools` lists them.')
        const tool = await findByName('tool', name, client.tools({ signal }))
        const args = await readArguments(given, tool.inputSchema, terminal.surroundings)
        await checkArguments(args, tool.inputSchema, { label, command: call.command, shared: call.shared, tool: name })
        const result = new LoadResult()
        const began = clock.now()
        const timer = setInterval(() => terminal.activity.say(progressText(result, clock.now() - began)), progressMs)
        terminal.activity.start(progressText(result, 0))
        try {
          await runLoad(
            {
              call: (stop) => callOnce(client, name, args, stop),
              concurrency: options.concurrency ?? (rate === undefined ? 1 : 100),
              rate,
              durationMs,
              count,
              clock,
              signal,
            },
            result,
          )
        } finally {
          clearInterval(timer)
        }
        signal.throwIfAborted()
        await call.result(loadJson(result, rate), () => showLoad(result, rate, terminal), failureOf(result))
      },
      // Each call is a call of its own, and a result that does not fit is counted.
      { cache: false, validate: 'strict' },
      await splitDottedName(call),
    )
  },
})

const longestWaitMs = 2 ** 31 - 1

const clock: Clock = {
  now: () => performance.now(),
  until: (time, signal) =>
    new Promise((resolve) => {
      const stop = (): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', stop)
        resolve()
      }
      const timer = setTimeout(stop, Math.min(Math.max(time - performance.now(), 0), longestWaitMs))
      signal.addEventListener('abort', stop)
      if (signal.aborted) stop()
    }),
}

async function callOnce(
  client: Client,
  name: string,
  args: Arguments,
  signal: AbortSignal,
): Promise<CallFailure | undefined> {
  try {
    const { isError, text } = await client.callTool(name, args, { signal })
    return isError ? { kind: toolError, message: text } : undefined
  } catch (thrown) {
    const { code, message, rpc } = explain(thrown)
    return { kind: rpc ? `error ${rpc.code}` : code, message, isFinal: code === 'closed' || code === 'unauthorized' }
  }
}

const toolError = 'tool error'

/** Failures by the kind of error: its exit code is the one that a single call would have had. */
const exitCodes: ReadonlyMap<string, ExitCode> = new Map<string, ExitCode>([
  [toolError, ExitCode.ToolError],
  ['timeout', ExitCode.Timeout],
  ['unauthorized', ExitCode.Unauthorized],
  ['closed', ExitCode.Unreachable],
  ['http', ExitCode.Unreachable],
  ['session_expired', ExitCode.Unreachable],
])

function failureOf({ errors, failed, succeeded }: LoadResult): CommandFailure | undefined {
  const [most] = [...errors.values()].sort((one, other) => other.count - one.count)
  if (most === undefined) return undefined
  const message = `${failed} of ${failed + succeeded} calls failed: ${most.message}`
  return new CommandFailure(exitCodes.get(most.kind) ?? ExitCode.Refused, 'load', message)
}
