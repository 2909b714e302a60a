import type { HostId } from '@tenon/host/config'
import { command } from '../../command.ts'
import { usage } from '../../exit.ts'
import { knownServer } from '../../manage/known-server.ts'
import { readHosts } from '../../manage/options.ts'
import { say } from '../../terminal/text.ts'

export default command({
  name: 'export',
  summary: 'Print a server for a host, or a recording as saved calls',
  usage: ['<name> [--as <host>]', '<session.jsonl>'],
  details:
    'Prints the text for the file of a host, to paste; warnings on stderr name what the host cannot say. A recorded session is printed as saved calls that expect its results, for tenon test.',
  examples: [
    { line: 'tenon export everything --as codex', shows: 'for config.toml of Codex' },
    { line: 'tenon export session.jsonl > calls/visit.yaml', shows: 'a recording as calls to repeat' },
  ],
  options: {
    as: { type: 'text', value: 'host', help: 'Write it as this host does (mcpServers, as most do)' },
    config: { type: 'text', short: 'c', value: 'file', help: 'Find the name of the server in this file' },
  },
  async run(call) {
    const { words, options, terminal } = call
    const [word, ...others] = words
    if (word === undefined || others.length > 0)
      throw usage('Expected the name of one server, or a recorded session', '`tenon servers` lists the servers.')
    if (/\.jsonl$/i.test(word)) {
      const { callsFromSession } = await import('@tenon/replay')
      const { loadSession } = await import('../../replay/session-file.ts')
      const text = callsFromSession(await loadSession(word, terminal))
      return await call.result({ format: 'yaml', text }, () => terminal.content(text))
    }
    const { describeProblem, toSnippet } = await import('@tenon/host/config')
    const [host = 'generic' as HostId] = options.as === undefined ? [] : await readHosts('as', [options.as])
    const { text, format, lost } = await toSnippet(await knownServer(word, options.config, terminal), host)
    for (const problem of lost) terminal.warn(say`${terminal.notes.yellow('warning:')} ${describeProblem(problem)}`)
    await call.result({ host, format, text, lost }, () => terminal.content(text))
  },
})
