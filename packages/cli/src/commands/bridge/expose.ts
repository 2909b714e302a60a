import { bridgeOptions, openBridge } from '../../bridge/open.ts'
import { checkHttpOptions, httpOptions, serveOverHttp } from '../../bridge/serving.ts'
import { command } from '../../command.ts'

export default command({
  name: 'expose',
  summary: 'Serve a program, or any other server, over HTTP',
  usage: ['-- <program> [argument…]', '<target>'],
  details: `Serves clients of every revision at one address, for a server of any revision. Each session has a process of its own;
clients without sessions share one. Only this machine can reach it, unless --host says otherwise; then --token is required.`,
  examples: [
    { line: 'tenon expose --port 3000 -- npx my-server', shows: 'a program at http://127.0.0.1:3000/mcp' },
    {
      line: 'tenon expose everything --token @secret.txt --host 0.0.0.0',
      shows: 'for other machines that know the token',
    },
  ],
  options: {
    ...httpOptions,
    'max-processes': { type: 'number', value: 'number', min: 1, max: 100_000, help: 'Start at most this many (100)' },
    idle: { type: 'time', help: 'End a process without sessions after this idle time (5m)' },
    ...bridgeOptions,
  },
  async run(call) {
    const { options } = call
    const secret = await checkHttpOptions(call)
    const { link, label } = await openBridge(call, {
      ...(options['max-processes'] !== undefined && { maxConnections: options['max-processes'] }),
      ...(options.idle !== undefined && { idleMs: options.idle }),
    })
    try {
      await serveOverHttp(call, link.server, { label, secret })
    } finally {
      await link.close()
    }
  },
})
