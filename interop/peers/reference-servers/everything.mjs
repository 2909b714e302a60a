import { program } from '../../lib/servers.mjs'
import { mainOf } from './main-of.mjs'

// Looked up at start: the first run installs it after this file was read.
const newest = () => mainOf('server-everything')

/** The everything server of the specification's authors, newest version. */
export const everything = {
  name: 'server-everything',
  title: 'server-everything',
  packages: ['server-everything'],
  server: {
    start: program({
      args: (_scratch, _port, transport) => [newest(), transport === 'sse' ? 'sse' : 'streamableHttp'],
      stdioArgs: () => [newest(), 'stdio'],
      env: (port) => ({ PORT: `${port}` }),
      paths: { http: '/mcp', sse: '/sse' },
    }),
    transports: ['stdio', 'http', 'sse'],
    work: {
      server: 'mcp-servers/everything',
      tools: ['echo', 'get-sum', 'get-tiny-image', 'trigger-long-running-operation'],
      echo: { name: 'echo', argument: 'message' },
      structured: {
        name: 'get-structured-content',
        arguments: { location: 'Chicago' },
        content: { temperature: 36, conditions: 'Light rain / drizzle', humidity: 82 },
      },
      media: { name: 'get-tiny-image', arguments: {} },
      badArguments: { name: 'get-sum', arguments: { a: 'one', b: 2 } },
      progress: { name: 'trigger-long-running-operation', arguments: { duration: 0.5, steps: 5 }, atLeast: 5 },
      cancel: { name: 'trigger-long-running-operation', arguments: { duration: 20, steps: 200 } },
      resources: {
        uris: ['demo://resource/static/document/features.md'],
        templates: ['demo://resource/dynamic/text/{resourceId}', 'demo://resource/dynamic/blob/{resourceId}'],
        texts: [{ uri: 'demo://resource/dynamic/text/7', text: 'Resource 7' }],
        blobs: [{ uri: 'demo://resource/dynamic/blob/7', mimeType: 'text/plain' }],
      },
      prompts: {
        names: ['simple-prompt', 'args-prompt', 'completable-prompt'],
        get: { name: 'args-prompt', arguments: { city: 'Bern' }, text: "What's weather in Bern?" },
        refuses: true,
      },
      completion: [
        {
          ref: { type: 'ref/prompt', name: 'completable-prompt' },
          argument: { name: 'department', value: 'S' },
          values: ['Sales', 'Support'],
        },
        {
          ref: { type: 'ref/resource', uri: 'demo://resource/dynamic/text/{resourceId}' },
          argument: { name: 'resourceId', value: '7' },
          values: ['7'],
        },
      ],
      sampling: { name: 'trigger-sampling-request', arguments: { prompt: 'How many?' }, question: 'How many?' },
      elicitation: {
        name: 'trigger-elicitation-request',
        arguments: {},
        content: { name: 'Ada', check: true, email: 'ada@example.com' },
        accepted: 'Name: Ada',
        declined: 'User declined',
      },
      roots: { name: 'get-roots-list' },
      subscribe: {
        uri: 'demo://resource/dynamic/text/1',
        change: { name: 'toggle-subscriber-updates', arguments: {} },
      },
      task: {
        name: 'simulate-research-query',
        arguments: { topic: 'python', ambiguous: true },
        content: { interpretation: 'programming' },
        text: 'Research Report: python (programming)',
      },
      resume: {
        name: 'trigger-long-running-operation',
        arguments: { duration: 4, steps: 20 },
        text: 'Long running operation completed',
      },
    },
  },
}

const oldest = (file) => mainOf('server-everything-2024').replace(/index\.js$/, file)

/** Its version of December 2024. Over HTTP+SSE it serves one client, and ends with it. */
export const everything2024 = {
  name: 'server-everything-2024',
  title: 'server-everything',
  packages: ['server-everything-2024'],
  server: {
    start: program({
      args: () => [oldest('sse.js')],
      stdioArgs: () => [oldest('index.js')],
      env: (port) => ({ PORT: `${port}` }),
      paths: { sse: '/sse' },
    }),
    perTask: true,
    transports: ['stdio', 'sse'],
    work: {
      server: 'example-servers/everything',
      single: true,
      tools: ['echo', 'add', 'longRunningOperation', 'sampleLLM', 'getTinyImage'],
      echo: { name: 'echo', argument: 'message' },
      media: { name: 'getTinyImage', arguments: {} },
      badArguments: { name: 'add', arguments: { a: 'one', b: 2 } },
      progress: { name: 'longRunningOperation', arguments: { duration: 0.5, steps: 5 }, atLeast: 5 },
      cancel: { name: 'longRunningOperation', arguments: { duration: 20, steps: 200 } },
      resources: {
        uris: ['test://static/resource/1', 'test://static/resource/100'],
        templates: ['test://static/resource/{id}'],
        texts: [{ uri: 'test://static/resource/1', text: 'Resource 1' }],
        blobs: [{ uri: 'test://static/resource/2', mimeType: 'application/octet-stream' }],
      },
      prompts: {
        names: ['simple_prompt', 'complex_prompt'],
        get: { name: 'complex_prompt', arguments: { temperature: '0.5', style: 'plain' }, text: 'temperature=0.5' },
      },
      sampling: { name: 'sampleLLM', arguments: { prompt: 'How many?' }, question: 'How many?' },
      // It sends updates of all resources every five seconds.
      subscribe: { uri: 'test://static/resource/1', samples: true },
      logging: { level: 'debug', data: 'Logging level set to: debug' },
    },
  },
}
