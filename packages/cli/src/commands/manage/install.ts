import { command } from '../../command.ts'
import { usage } from '../../exit.ts'
import { knownServer } from '../../manage/known-server.ts'
import { readHosts, scopeOption, writingOptions } from '../../manage/options.ts'
import { placesFor } from '../../manage/places.ts'
import { writeServers } from '../../manage/write-servers.ts'

export default command({
  name: 'install',
  summary: 'Copy a server into the files of other hosts',
  usage: ['<name> --to <host,…>'],
  details:
    'The hosts are claude-code, claude-desktop, vscode, cursor, windsurf, codex, gemini, copilot, cline, zed and more; tenon servers shows the files that there are. Variables are written in the way of each host, and a warning names what a host cannot say. The changes are shown first; comments and formatting stay, and a copy of each file is kept.',
  examples: [
    { line: 'tenon install everything --to cursor,vscode --dry-run', shows: 'the changes of two files' },
    { line: 'tenon install time --to claude-code --scope project --dry-run', shows: 'of .mcp.json in this folder' },
  ],
  options: {
    to: { type: 'list', value: 'host,…', help: 'Write it into the files of these hosts' },
    ...scopeOption,
    config: { type: 'text', short: 'c', value: 'file', help: 'Find the name of the server in this file' },
    replace: { type: 'flag', help: 'Replace another server of that name' },
    ...writingOptions,
  },
  async run(call) {
    const { words, options, terminal } = call
    const [name, ...others] = words
    if (name === undefined || others.length > 0)
      throw usage('Expected the name of one server', '`tenon servers` lists them; `tenon add` makes one.')
    if (options.to.length === 0)
      throw usage('Expected the hosts in --to', 'For example --to cursor,vscode,claude-code.')
    const hosts = await readHosts('to', options.to)
    const entry = await knownServer(name, options.config, terminal)
    await writeServers(call, [entry], await placesFor(hosts, options.scope, terminal.surroundings))
  },
})
