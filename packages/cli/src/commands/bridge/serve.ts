import { bridgeOptions } from '../../bridge/open.ts'
import { checkHttpOptions, httpOptions, serveOverHttp, serveOverStdio, wantsHttp } from '../../bridge/serving.ts'
import { openServers, type ServedServers } from '../../bridge/several.ts'
import { command } from '../../command.ts'
import { usage } from '../../exit.ts'

export default command({
  name: 'serve',
  summary: 'Serve several servers as one, on stdio or over HTTP',
  usage: ['<name…>', '<name=url…>'],
  details:
    'The tools and prompts of a server get its name in front: everything__add. Resources keep their URIs. It speaks on standard input and output, for a host to start; with --port, or on a terminal, it serves at an address. Servers are started or reached when a client comes. One that is down is missing in lists, and everything else works.',
  examples: [
    { line: 'tenon serve everything --port 3000', shows: 'at http://127.0.0.1:3000/mcp' },
    {
      line: 'tenon serve everything docs=https://example.com/mcp',
      shows: 'two servers for a host that starts programs',
    },
    {
      line: 'tenon serve everything docs=https://example.com/mcp --port 3000 --host 0.0.0.0 --token @secret.txt',
      shows: 'for other machines that know the token',
    },
  ],
  options: { ...httpOptions, ...bridgeOptions },
  async run(call) {
    if (call.command) {
      throw usage('serve takes names, and no program after --', 'Give the program a name in a config file.')
    }
    const secret = await checkHttpOptions(call)
    const served: ServedServers = await openServers(call)
    try {
      if (wantsHttp(call)) await serveOverHttp(call, served.server, { label: served.label, secret })
      else await serveOverStdio(call, served.server)
    } finally {
      await served.close()
    }
  },
})
