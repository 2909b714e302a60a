// The client of the official SDK, from 0.5.0 to the last of version 1: one class, with more methods over time.
import { afterAuthorization, authProvider } from './auth-provider.mjs'

/** Opens a connection in the form that tasks use. */
export async function open(target, answers, { name, resumesByHand }) {
  const from = (path) => import(`${name}/${path}`)
  const types = await from('types.js')
  const { Client } = await from('client/index.js')
  const capabilities = {
    ...(answers.sample && { sampling: {} }),
    ...(answers.elicit && { elicitation: {} }),
    ...(answers.roots && { roots: { listChanged: true } }),
  }
  const provider = answers.browse && authProvider(answers.browse)
  const attempt = async () => {
    const client = new Client({ name: 'interop', version: '1.0.0' }, { capabilities })
    answer(client, types, answers)
    const transport = await transportTo(target, from, resumesByHand, provider)
    const seen = watchHandshake(transport)
    return { client, transport, seen, connected: client.connect(transport) }
  }
  const { client, seen } = await afterAuthorization(attempt, provider)
  if (answers.logLevel) await client.setLoggingLevel(answers.logLevel)
  return session(client, types, seen.revision)
}

function answer(client, types, { sample, elicit, roots, onToolsChanged, onLog }) {
  if (sample) client.setRequestHandler(types.CreateMessageRequestSchema, ({ params }) => sample(params))
  if (elicit) client.setRequestHandler(types.ElicitRequestSchema, ({ params }) => elicit(params))
  if (roots) client.setRequestHandler(types.ListRootsRequestSchema, () => ({ roots }))
  if (onToolsChanged) client.setNotificationHandler(types.ToolListChangedNotificationSchema, onToolsChanged)
  if (onLog) client.setNotificationHandler(types.LoggingMessageNotificationSchema, ({ params }) => onLog(params))
}

async function transportTo({ kind, url, command, args, env }, from, resumesByHand, authProvider) {
  if (kind === 'stdio') {
    const { StdioClientTransport, getDefaultEnvironment } = await from('client/stdio.js')
    return new StdioClientTransport({ command, args, stderr: 'ignore', env: { ...getDefaultEnvironment(), ...env } })
  }
  if (kind === 'http') {
    const { StreamableHTTPClientTransport } = await from('client/streamableHttp.js')
    return Object.assign(new StreamableHTTPClientTransport(new URL(url), { authProvider }), { resumesByHand })
  }
  if (kind === 'sse') {
    // The first versions require that of the platform.
    globalThis.EventSource ??= (await import('eventsource')).EventSource
    const { SSEClientTransport } = await from('client/sse.js')
    return new SSEClientTransport(new URL(url))
  }
  // The transport requires the platform's WebSocket, which Node has from version 22 on.
  globalThis.WebSocket ??= (await import('ws')).WebSocket
  const { WebSocketClientTransport } = await from('client/websocket.js')
  return new WebSocketClientTransport(new URL(url))
}

/** The class does not expose the agreed revision, so it is read from the messages. */
function watchHandshake(transport) {
  const seen = {}
  let receive
  Object.defineProperty(transport, 'onmessage', {
    get: () => receive,
    set: (listener) => {
      receive = (message, extra) => {
        seen.revision ??= message.result?.protocolVersion
        listener(message, extra)
      }
    },
  })
  return seen
}

function session(client, types, revision) {
  const watched = new Map()
  client.setNotificationHandler(types.ResourceUpdatedNotificationSchema, ({ params }) =>
    watched.get(params.uri)?.(params),
  )
  return {
    revision,
    serverName: client.getServerVersion()?.name,
    ping: () => client.ping(),
    request: (method, params) => client.request({ method, params }, types.EmptyResultSchema),
    tools: () => pages((params) => client.listTools(params), 'tools'),
    call: async (name, args, { onProgress, signal } = {}) => {
      const call = (options) => client.callTool({ name, arguments: args }, types.CallToolResultSchema, options)
      const result = await resumably(client, call, { onprogress: onProgress, signal })
      return { ...result, structured: result.structuredContent }
    },
    ...(client.experimental?.tasks && tasksOf(client, types)),
    resources: () => pages((params) => client.listResources(params), 'resources'),
    templates: () => pages((params) => client.listResourceTemplates(params), 'resourceTemplates'),
    read: async (uri) => (await client.readResource({ uri })).contents,
    prompts: () => pages((params) => client.listPrompts(params), 'prompts'),
    prompt: (name, args) => client.getPrompt({ name, arguments: args }),
    complete: async (ref, argument) => (await client.complete({ ref, argument })).completion.values,
    watch: async (uri, listener) => {
      watched.set(uri, listener)
      await client.subscribeResource({ uri })
      return { close: () => client.unsubscribeResource({ uri }) }
    },
    close: () => client.close(),
  }
}

/** Tasks, as an experiment from 1.24 on. */
function tasksOf(client, types) {
  const { tasks } = client.experimental
  const stream = (name, args) =>
    tasks.callToolStream({ name, arguments: args }, types.CallToolResultSchema, { task: { ttl: 60_000 } })
  return {
    async callAsTask(name, args, onStatus) {
      for await (const message of stream(name, args)) {
        if (message.task) onStatus(message.task)
        if (message.type === 'error') throw message.error
        if (message.type === 'result') return message.result
      }
    },
    async startTask(name, args) {
      for await (const { task } of stream(name, args)) if (task) return task.taskId
    },
    taskStatus: async (id) => (await tasks.getTask(id)).status,
    cancelTask: (id) => tasks.cancelTask(id),
    ...(client.getServerCapabilities()?.tasks?.list && {
      listTasks: async () => (await tasks.listTasks()).tasks.map(({ taskId }) => taskId),
    }),
  }
}

/** Up to 1.23 the application has to resume a call whose stream broke. */
async function resumably(client, call, options) {
  let token
  const broken = new Promise((resolve) => {
    client.onerror = (error) => {
      if (error.message.startsWith('SSE stream disconnected') && token !== undefined) resolve(true)
    }
  })
  const onresumptiontoken = (newest) => {
    token = newest
  }
  const first = call({ ...options, onresumptiontoken })
  const winner = await Promise.race([first, broken])
  if (winner !== true || !client.transport.resumesByHand) return first
  return call({ ...options, resumptionToken: token, onresumptiontoken })
}

async function pages(list, member) {
  const items = []
  let cursor
  do {
    const page = await list(cursor === undefined ? {} : { cursor })
    items.push(...page[member])
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return items
}
