import type { LoggingLevel } from '@tenon/sdk/client'
import { command } from '../../command.ts'
import { withServer } from '../../server/connect.ts'
import { useOptions } from '../../server/options.ts'
import { showLog } from '../../show/log.ts'
import { ServerWatcher } from '../../watch/server-watcher.ts'

export default command({
  name: 'watch',
  summary: 'Show updates of resources, changes of lists, and logs',
  usage: ['<target> [uri…]', '[uri…] -- <program> [argument…]'],
  details: 'It runs until Ctrl-C, until --count events, or until the connection ends.',
  examples: [
    { line: 'tenon watch everything board:///today --read', shows: 'the text of the board, each time it changes' },
    {
      line: 'tenon watch https://example.com/mcp --log-level debug --json',
      shows: 'everything, one document per line',
    },
  ],
  options: {
    read: { type: 'flag', help: 'Show the contents of a resource, at first and after each update' },
    count: { type: 'number', short: 'n', value: 'number', min: 1, help: 'End after this many events' },
    'no-lists': { type: 'flag', help: 'Leave changes of lists out' },
    ...useOptions,
  },
  goesOn: true,
  run: async (call) => {
    const news = new ServerWatcher(call)
    await withServer(
      call,
      async ({ client, words, label }) => {
        if (call.options['log-level'] === undefined && client.server.capabilities.logging) {
          await client.setLoggingLevel('info' satisfies LoggingLevel, { signal: call.signal })
        }
        await news.follow(client, words, label)
      },
      {
        onLog: (message) => news.happened({ event: 'log', ...message }, () => showLog(message, call.terminal.style)),
      },
    )
  },
})
