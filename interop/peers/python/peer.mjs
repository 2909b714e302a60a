import { fileURLToPath } from 'node:url'
import { preparePython, python, pythonVersionOf } from '../../lib/python.mjs'
import { program } from '../../lib/servers.mjs'
import { work } from '../work.mjs'

const script = fileURLToPath(new URL('./server.py', import.meta.url))
const { server, echo, structured, media, toolError, badArguments, lateProgress, large, prompts } = work

/** Tasks of the client whose requests the adapter has. */
const done = ['connect', 'tools', 'call', 'structured', 'media', 'tool-error', 'bad-arguments', 'concurrent', 'big']
const ofClient = [...done, 'large', 'resources', 'prompts']

const serverOf = (flavour) => ({
  start: program({
    command: python,
    stdioArgs: () => [script, flavour, 'stdio'],
    args: (_scratch, port, transport) => [script, flavour, transport, `${port}`],
    paths: { http: '/mcp', 'http-2026': '/mcp' },
  }),
  transports: ['stdio', 'stdio-2026', 'http', 'http-2026'],
  work: {
    ...{ server, echo, structured, media, toolError, badArguments, lateProgress, large, prompts },
    tools: ['echo', 'add', 'picture', 'fail', 'count', 'large'],
    resources: {
      uris: ['note:///motto'],
      templates: ['note:///by/{name}'],
      texts: work.resources.texts,
      blobs: [],
    },
  },
})

/** The official Python SDK, both ways. */
export const pythonSdk = {
  name: 'python-sdk',
  title: 'official Python SDK',
  prepare: preparePython,
  version: () => pythonVersionOf('mcp'),
  client: {
    script: new URL('./client.mjs', import.meta.url).href,
    transports: ['stdio', 'stdio-2026', 'http', 'http-2026'],
    lacks: (task) => !ofClient.includes(task),
  },
  server: serverOf('sdk'),
}

/** The framework on it that most Python servers use. */
export const pythonFastmcp = {
  name: 'python-fastmcp',
  title: 'FastMCP for Python',
  prepare: preparePython,
  version: () => pythonVersionOf('fastmcp'),
  server: serverOf('fastmcp'),
}
