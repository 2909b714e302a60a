import { fileURLToPath } from 'node:url'
import { pythonEnvironment } from '../../lib/python.mjs'
import { program } from '../../lib/servers.mjs'
import { work } from '../work.mjs'

const newest = pythonEnvironment()
const oldest = pythonEnvironment('-oldest')
const fastmcp1 = pythonEnvironment('-fastmcp-1')

const path = (script) => fileURLToPath(new URL(script, import.meta.url))
const { server, echo, structured, media, toolError, badArguments, progress, lateProgress, cancel, large } = work
const { prompts, elicitation, sampling, roots, lostSession } = work
const common = { server, echo, media, toolError, lateProgress, large, prompts }
const resources = { uris: ['note:///motto'], texts: work.resources.texts.slice(0, 1) }
const withTemplate = { ...resources, templates: ['note:///by/{name}'], texts: work.resources.texts }

/** A server of server.py. */
const serverOf = (flavour, { python }, transports, features) => ({
  start: program({
    command: python,
    stdioArgs: () => [path('./server.py'), flavour, 'stdio'],
    args: (_scratch, port, transport) => [path('./server.py'), flavour, transport, `${port}`],
    paths: { http: '/mcp', 'http-2026': '/mcp', sse: '/sse' },
    restarts: true,
  }),
  transports,
  work: {
    ...common,
    ...{ badArguments, progress, cancel },
    tools: ['echo', 'add', 'picture', 'fail', 'count', 'wait', 'large'],
    resources: withTemplate,
    ...features,
  },
})

const bothEras = ['stdio', 'stdio-2026', 'http', 'http-2026']

const clientOf = (script, { python }, transports, lacking) => ({
  script: new URL('./client.mjs', import.meta.url).href,
  settings: { python, script },
  transports,
  lacks: (task) => lacking.includes(task),
})

/** The official Python SDK, both ways. It has no request for a method of another's choice, and nobody's tasks. */
export const pythonSdk = {
  name: 'python-sdk',
  title: 'official Python SDK',
  ...newest,
  version: () => newest.versionOf('mcp'),
  client: clientOf('./client.py', newest, bothEras, ['unknown', 'task', 'authorization']),
  server: serverOf('sdk', newest, bothEras, { structured, elicitation, sampling, roots, lostSession }),
}

/**
 * Its first release. The server does not see progress tokens, and a method that it does not know ends it, so that clients find out
 * after a while only. The client asks for no second page, and has no handlers for questions.
 */
export const pythonSdkOldest = {
  name: 'python-sdk-0.9',
  title: 'official Python SDK',
  ...oldest,
  version: () => oldest.versionOf('mcp'),
  client: clientOf(
    './client-oldest.py',
    oldest,
    ['stdio', 'sse'],
    [
      ...[
        'unknown',
        'task',
        'authorization',
        'progress',
        'late-progress',
        'cancel',
        'sampling',
        'elicitation',
        'roots',
      ],
      ...['subscribe', 'list-changed', 'news', 'logging', 'resources'],
    ],
  ),
  server: {
    start: program({ command: oldest.python, args: () => [path('./server-oldest.py')] }),
    transports: ['stdio'],
    lacks: (task) => ['unknown', 'late-progress'].includes(task),
    slowProbe: true,
    work: {
      ...common,
      ...{ sampling, roots, resources },
      single: true,
      tools: ['echo', 'add', 'picture', 'fail', 'large'],
    },
  },
}

/** The framework on it that most Python servers use. It asks only in sessions. */
export const pythonFastmcp = {
  name: 'python-fastmcp',
  title: 'FastMCP for Python',
  ...newest,
  version: () => newest.versionOf('fastmcp'),
  server: {
    ...serverOf('fastmcp', newest, bothEras, { structured, elicitation, lostSession }),
    lacks: (task, transport) => task === 'elicitation' && transport.endsWith('-2026'),
  },
}

/** Its first major version, which lists no templates. */
export const pythonFastmcp1 = {
  name: 'python-fastmcp-1',
  title: 'FastMCP for Python',
  ...fastmcp1,
  version: () => fastmcp1.versionOf('fastmcp'),
  server: serverOf('fastmcp-1', fastmcp1, ['stdio', 'sse'], { resources }),
}
