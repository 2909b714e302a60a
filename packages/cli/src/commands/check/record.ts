import { command } from '../../command.ts'
import { recordCalls, recordHost, recordRepl } from '../../replay/record.ts'
import { beginRecording, recordingOptions, recordingSummary } from '../../replay/recording.ts'
import { connectionOptions } from '../../server/options.ts'
import { resolveTarget } from '../../server/target.ts'

export default command({
  name: 'record',
  summary: 'Record every message between a client and a server',
  usage: ['<target> [--output file]', '[--output file] -- <program> [argument…]'],
  details:
    'On a terminal it keeps a connection for you to type commands, as `tenon repl` does. With --calls it makes the calls of a file. Otherwise it stands between a host and its server: have the host start it in place of the server. Secrets are left out of the file.',
  examples: [
    { line: 'tenon record everything -o session.jsonl', shows: 'type commands, and have them recorded' },
    { line: 'tenon record everything --calls calls.yaml', shows: 'record the calls of a file' },
    { line: 'tenon record -o /tmp/session.jsonl -- node server.js', shows: 'as the command of a server in a host' },
  ],
  options: {
    calls: { type: 'text', value: 'file', help: 'Make the saved calls of this file' },
    ...recordingOptions,
    ...connectionOptions,
  },
  async run(call) {
    const resolved = await resolveTarget(call)
    const recorded = await beginRecording(call, resolved.target)
    const { recording, file } = recorded
    const { calls } = call.options
    const isHost = calls === undefined && !call.terminal.canAsk
    try {
      if (isHost) await recordHost(call, resolved, recording)
      else if (calls !== undefined) await recordCalls(call, calls, recording)
      else await recordRepl(call, recording)
    } finally {
      await recording.close()
    }
    const { messages, redacted } = recording
    // Between a host and its server, standard output is theirs.
    if (isHost) call.terminal.note(recordingSummary(recorded))
    else await call.result({ file, messages, redacted }, () => call.terminal.note(recordingSummary(recorded)))
  },
})
