import { command } from '../../command.ts'
import { usage } from '../../exit.ts'
import { givenServers, serverOptions } from '../../manage/given-servers.ts'
import { readHosts, scopeOption, writingOptions } from '../../manage/options.ts'
import { placeOfFile, placesFor } from '../../manage/places.ts'
import { writeServers } from '../../manage/write-servers.ts'

export default command({
  name: 'add',
  summary: 'Give a server a name, in your own list or in a host',
  usage: ['[name] -- <program> [argument…]', '[name] <url>', '[name] <pasted text>', '[name] -'],
  details:
    'The name works in every other command. It goes into your own list, or with --to into the files of hosts; with --scope project into the .mcp.json of this folder. A pasted text is a config file of any host or a part of one, an install link, or a command such as "claude mcp add …"; - reads it from standard input. The change is shown first; comments and formatting of a file stay, and a copy of it is kept.',
  examples: [
    { line: 'tenon add time --yes -- uvx mcp-server-time', shows: 'a program' },
    { line: 'tenon add docs https://example.com/mcp --to cursor,vscode --dry-run', shows: 'a URL, for two hosts' },
    { line: 'cat servers.json | tenon add - --yes', shows: 'all servers of a text' },
    { line: "tenon add 'claude mcp add weather -- npx weather' --yes", shows: 'as a page says it for another host' },
  ],
  options: {
    to: { type: 'list', value: 'host,…', help: 'Write it into the files of these hosts' },
    ...scopeOption,
    config: { type: 'text', short: 'c', value: 'file', help: 'Write it into this file' },
    replace: { type: 'flag', help: 'Replace another server of that name' },
    ...serverOptions,
    ...writingOptions,
  },
  async run(call) {
    const { to, scope, config } = call.options
    const { surroundings } = call.terminal
    if (config !== undefined && (to.length > 0 || scope !== undefined))
      throw usage('--config names the file, so there is no --to and no --scope')
    const hosts = to.length > 0 ? await readHosts('to', to) : ([scope === 'project' ? 'claude-code' : 'tenon'] as const)
    const entries = await givenServers(call)
    const places =
      config === undefined ? await placesFor(hosts, scope, surroundings) : [await placeOfFile(config, surroundings)]
    await writeServers(call, entries, places)
  },
})
