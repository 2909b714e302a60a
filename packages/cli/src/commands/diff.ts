import { diffSessions, formatDiff } from '@tenon/replay'
import { command } from '../command.ts'
import { CommandFailure, ExitCode, usage } from '../exit.ts'
import { loadSession } from '../replay/session-file.ts'

export default command({
  name: 'diff',
  summary: 'Compare two recorded sessions',
  usage: ['<before> <after>'],
  details:
    'Says what the server offers now that it did not offer before, what is gone or changed, whether that can break who used it, and which answers differ. Exits with 8 if something does; with --breaking only if something can break.',
  examples: [
    { line: 'tenon diff before.jsonl after.jsonl', shows: 'what has changed' },
    { line: 'tenon diff before.jsonl after.jsonl --breaking --json', shows: 'for a build: fail on what breaks' },
  ],
  options: {
    breaking: { type: 'flag', help: 'Exit with 8 only if a change may break who used the server before' },
    times: { type: 'flag', help: 'Also say how long answers took, before and after' },
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
