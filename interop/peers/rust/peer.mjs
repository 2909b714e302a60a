import { rust, rustProgram, rustVersionOf } from '../../lib/rust.mjs'
import { program } from '../../lib/servers.mjs'
import { work } from '../work.mjs'

const { server, tools, echo, structured, media, toolError, badArguments, progress, lateProgress, cancel, large } = work
const { resources, prompts, completion, sampling, elicitation, roots, lostSession } = work

/** Tasks of the client whose requests the adapter has. */
const ofClient = [
  ...['connect', 'tools', 'call', 'structured', 'media', 'tool-error', 'bad-arguments', 'concurrent', 'big', 'large'],
  ...['script', 'resources', 'prompts', 'completion', 'sampling', 'elicitation', 'roots', 'lost-session'],
]

/** rmcp, the official Rust SDK, both ways. */
export const rmcp = {
  name: 'rmcp',
  title: 'official Rust SDK (rmcp)',
  ...rust,
  version: () => rustVersionOf('rmcp'),
  client: {
    script: new URL('./client.mjs', import.meta.url).href,
    transports: ['stdio', 'stdio-2026', 'http', 'http-2026'],
    lacks: (task) => !ofClient.includes(task),
  },
  server: {
    start: program({
      command: rustProgram('server'),
      stdioArgs: () => ['stdio'],
      args: (_scratch, port, transport) => [transport, `${port}`],
      paths: { http: '/mcp', 'http-2026': '/mcp' },
      restarts: true,
    }),
    transports: ['stdio', 'stdio-2026', 'http', 'http-2026'],
    work: {
      ...{ server, tools, echo, structured, media, toolError, badArguments, progress, lateProgress, cancel, large },
      ...{ resources, prompts, completion, sampling, elicitation, roots, lostSession },
    },
  },
}
