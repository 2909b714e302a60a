import { go, goProgram, goVersionOf } from '../../lib/go.mjs'
import { program } from '../../lib/servers.mjs'
import { work } from '../work.mjs'

const { authorization: _authorization, task: _task, ...offered } = work

/** The official Go SDK, both ways. It has no request for a method of another's choice, and its client no tasks. */
export const goSdk = {
  name: 'go-sdk',
  title: 'official Go SDK',
  ...go,
  version: () => goVersionOf('github.com/modelcontextprotocol/go-sdk'),
  client: {
    script: new URL('./client.mjs', import.meta.url).href,
    transports: ['stdio', 'stdio-2026', 'http', 'http-2026'],
    lacks: (task) => ['unknown', 'task', 'authorization'].includes(task),
  },
  server: {
    start: program({
      command: goProgram('server'),
      stdioArgs: () => ['stdio'],
      args: (_scratch, port, transport) => [transport, `${port}`],
      paths: { http: '/', 'http-2026': '/' },
      restarts: true,
    }),
    transports: ['stdio', 'stdio-2026', 'http', 'http-2026'],
    work: offered,
  },
}
