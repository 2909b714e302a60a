import { diffSessions, formatDiff } from '@tenon/replay'
import { command } from '../../command.ts'
import { CommandFailure, ExitCode, usage } from '../../exit.ts'
import { loadSession } from '../../replay/session-file.ts'

export default command({
  name: 'diff',
  summary: 'Compare two recorded sessions',
  usage: ['<before> <after>'],
  details:
    'Lists new, removed and changed features of the server, whether a change can break existing clients, and results that differ. Exits with 8 if something differs; with --breaking only if something can break.',
  examples: [
    { line: 'tenon diff before.jsonl after.jsonl', shows: 'the changes' },
    { line: 'tenon diff before.jsonl after.jsonl --breaking --json', shows: 'for a build: fail on breaking changes' },
  ],
  options: {
    breaking: { type: 'flag', help: 'Exit with 8 only if a change may break existing clients' },
    times: { type: 'flag', help: 'Also show durations, before and after' },
  },
  async run(call) {
    const { terminal, words, options } = call
    const [before, after, ...others] = words
    if (before === undefined || after === undefined || others.length > 0) {
      throw usage('Expected two session files', 'For example: before.jsonl after.jsonl')
    }
    const diff = diffSessions(await loadSession(before, terminal), await loadSession(after, terminal))
    const differs = options.breaking ? diff.breaking > 0 : !diff.same
    const failure = new CommandFailure(ExitCode.Different, 'different', 'The sessions differ')
    const shown = options.times ? diff : { ...diff, timing: [] }
    await call.result(diff, () => terminal.content(formatDiff(shown)), differs ? failure : undefined)
  },
})
