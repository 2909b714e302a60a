import { replayServer } from '@tenon/replay'
import { serveHttp } from '@tenon/sdk/node'
import { stdioChannel } from '@tenon/sdk/stdio'
import { command } from '../../command.ts'
import { CommandFailure, ExitCode, usage } from '../../exit.ts'
import { failureOf, reportLines } from '../../replay/report.ts'
import { loadSession } from '../../replay/session-file.ts'
import { say } from '../../terminal/text.ts'

export default command({
  name: 'replay',
  summary: 'Serve a recorded session again, without its server',
  usage: ['<session>'],
  details:
    'The same requests get the same answers. Other requests are refused, with the nearest recorded ones. It is served at an address (--port, or on a terminal), otherwise on standard input and output: `tenon list -- tenon replay session.jsonl`.',
  examples: [
    { line: 'tenon replay session.jsonl', shows: 'a recording in place of its server' },
    { line: 'tenon replay session.jsonl --port 3000', shows: 'for any number of clients, in every revision' },
    { line: 'tenon replay session.jsonl --timing recorded', shows: 'as fast as the server was' },
  ],
  options: {
    port: {
      type: 'number',
      short: 'p',
      value: 'port',
      min: 0,
      max: 65_535,
      help: 'Serve at this port; 0 is any that is free',
    },
    timing: {
      type: 'text',
      value: 'word',
      help: 'How long answers take: none, recorded, or how many times faster (none)',
    },
    strict: { type: 'flag', help: 'Exit with 8 after a request that was not recorded' },
  },
  async run(call) {
    const { options, words, terminal, signal } = call
    const [file, ...others] = words
    if (file === undefined || others.length > 0) throw usage('Expected one session file', 'For example: session.jsonl')
    const replay = replayed(await loadSession(file, terminal), options.timing)
    const overHttp = options.port !== undefined || terminal.surroundings.stdin.isTTY === true
    if (overHttp) {
      const http = await serveHttp(replay.server, { port: options.port ?? 0 })
      const about = `${replay.name} ${replay.version} as recorded in ${replay.revision}`
      call.event({ event: 'listening', url: http.url }, () => terminal.line(say`${about} is at ${http.url}`))
      await new Promise<void>((done) => {
        if (signal.aborted) done()
        signal.addEventListener('abort', () => done(), { once: true })
      })
      await http.close()
    } else {
      const connection = replay.connect(stdioChannel(terminal.surroundings.output.connection), { transport: 'stdio' })
      signal.addEventListener('abort', () => void connection.close(), { once: true })
      await connection.closed
    }
    const { report } = replay
    const failure = options.strict ? failureOf(report) : undefined
    const show = (): void => {
      for (const line of reportLines(report)) terminal.note(line)
    }
    // Standard output was the client's.
    if (overHttp) return await call.result({ ...report }, show, failure)
    show()
    if (failure) call.exitCode = failure.exitCode
  },
})

function replayed(session: Parameters<typeof replayServer>[0], timing = 'none'): ReturnType<typeof replayServer> {
  const factor = Number(timing)
  if (timing !== 'none' && timing !== 'recorded' && !(factor > 0)) {
    throw usage(`--timing: expected none, recorded or a number, got ${JSON.stringify(timing)}`)
  }
  try {
    return replayServer(session, { timing: timing === 'none' || timing === 'recorded' ? timing : factor })
  } catch (error) {
    throw new CommandFailure(ExitCode.Usage, 'invalid_session', (error as Error).message)
  }
}
