// The low-level server of the SDK: the one class that all versions share.
import { names, picture } from '../work.mjs'

const text = (value) => ({ content: [{ type: 'text', text: value }] })
const object = (properties = {}, required = Object.keys(properties)) => ({ type: 'object', properties, required })
const string = { type: 'string' }
const number = { type: 'number' }

let cancelled = 0
const reporting = new Set()

export async function definition(from) {
  const { Server } = await from('server/index.js')
  const types = await from('types.js')
  const knowsCompletions = 'CompleteRequestSchema' in types
  const capabilities = {
    tools: { listChanged: true },
    resources: { subscribe: true },
    prompts: {},
    logging: {},
    ...(knowsCompletions && { completions: {} }),
  }
  const tasks = await tasksOf(from)
  if (tasks.taskStore) capabilities.tasks = { list: {}, cancel: {}, requests: { tools: { call: {} } } }
  const server = new Server({ name: 'interop-server', version: '1.0.0' }, { capabilities, ...tasks })
  addTools(server, types)
  addResources(server, types)
  addPrompts(server, types)
  server.setRequestHandler(types.SetLevelRequestSchema, () => ({}))
  return server
}

/** Tasks came with 1.24, as an experiment; their store is one for all sessions. */
let stores
async function tasksOf(from) {
  stores ??= await from('experimental/tasks/stores/in-memory.js').then(
    ({ InMemoryTaskStore, InMemoryTaskMessageQueue }) => ({
      taskStore: new InMemoryTaskStore(),
      taskMessageQueue: new InMemoryTaskMessageQueue(),
    }),
    () => ({}),
  )
  return stores
}

function addTools(server, types) {
  let extended = false
  // From 1.8 on a handler can send on the stream of its request; before there was only one stream.
  const notify = (extra, notification) => (extra?.sendNotification ?? ((one) => server.notification(one)))(notification)
  const ask = (extra, request, schema) =>
    extra?.sendRequest ? extra.sendRequest(request, schema) : server.request(request, schema)

  const tools = {
    echo: { schema: object({ text: string }), run: (args) => text(args.text) },
    add: {
      schema: object({ a: number, b: number }),
      output: object({ sum: number }),
      run: ({ a, b }) => {
        if (typeof a !== 'number') throw new types.McpError(types.ErrorCode.InvalidParams, 'a is not a number')
        return { ...text(JSON.stringify({ sum: a + b })), structuredContent: { sum: a + b } }
      },
    },
    picture: { run: () => ({ content: [{ type: 'image', data: picture, mimeType: 'image/png' }] }) },
    large: { schema: object({ bytes: number }), run: ({ bytes }) => text('x'.repeat(bytes)) },
    fail: { run: () => ({ ...text('It did not work'), isError: true }) },
    count: {
      schema: object({ to: number }),
      async run({ to }, extra, progressToken) {
        for (let progress = 1; progress <= to; progress++) {
          const params = { progressToken, progress, total: to }
          if (progressToken !== undefined) await notify(extra, { method: 'notifications/progress', params })
        }
        return text('Counted')
      },
    },
    report: {
      async run(_args, extra, progressToken) {
        for (let progress = 1; progress <= 5; progress++)
          await notify(extra, { method: 'notifications/progress', params: { progressToken, progress, total: 5 } })
        await new Promise((resolve) => reporting.add(resolve))
        return text('Released')
      },
    },
    release: {
      run: () => {
        for (const goOn of reporting) goOn()
        return text('Done')
      },
    },
    wait: {
      async run(_args, extra, progressToken) {
        await notify(extra, { method: 'notifications/progress', params: { progressToken, progress: 1 } })
        await new Promise((resolve) => extra.signal.addEventListener('abort', resolve, { once: true }))
        cancelled++
        return text('Cancelled')
      },
    },
    cancellations: { run: () => text(`${cancelled}`) },
    ask_model: {
      schema: object({ question: string }),
      async run({ question }, extra) {
        const messages = [{ role: 'user', content: { type: 'text', text: question } }]
        const request = { method: 'sampling/createMessage', params: { messages, maxTokens: 100 } }
        const { content } = await ask(extra, request, types.CreateMessageResultSchema)
        return text(content.text)
      },
    },
    ask_user: {
      async run(_args, extra) {
        const params = { message: 'Who are you?', requestedSchema: object({ name: string }) }
        const answer = await ask(extra, { method: 'elicitation/create', params }, types.ElicitResultSchema)
        return text(answer.action === 'accept' ? `The user is ${answer.content.name}` : 'The user did not say')
      },
    },
    show_roots: {
      async run(_args, extra) {
        const { roots } = await ask(extra, { method: 'roots/list' }, types.ListRootsResultSchema)
        return text(roots.map(({ uri }) => uri).join('\n'))
      },
    },
    touch: {
      async run() {
        await server.notification({ method: 'notifications/resources/updated', params: { uri: 'note:///motto' } })
        return text('Touched')
      },
    },
    extend: {
      schema: object({ on: { type: 'boolean' } }),
      async run({ on }) {
        extended = on
        await server.notification({ method: 'notifications/tools/list_changed' })
        return text('Done')
      },
    },
    whoami: { run: (_args, extra) => text(extra?.authInfo?.clientId ? 'A client with a token' : 'Anybody') },
    slow: {
      execution: { taskSupport: 'optional' },
      async run(_args, extra, _token, task) {
        if (!task) return text('Slowly done')
        const { taskStore } = extra
        const made = await taskStore.createTask({ ttl: task.ttl, pollInterval: 50 })
        setTimeout(async () => {
          const { status } = await taskStore.getTask(made.taskId)
          if (status !== 'cancelled') await taskStore.storeTaskResult(made.taskId, 'completed', text('Slowly done'))
        }, 500)
        return { task: made }
      },
    },
    log: {
      async run(_args, extra) {
        const params = { level: 'info', data: 'A line in the log' }
        await notify(extra, { method: 'notifications/message', params })
        return text('Logged')
      },
    },
  }

  const listed = Object.entries(tools).map(([name, { schema, output, execution }]) => ({
    name,
    inputSchema: schema ?? object(),
    ...(output && { outputSchema: output }),
    ...(execution && { execution }),
  }))
  // Two pages, so that clients have to follow a cursor.
  server.setRequestHandler(types.ListToolsRequestSchema, ({ params }) => {
    if (params?.cursor !== 'second') return { tools: listed.slice(0, 4), nextCursor: 'second' }
    return { tools: [...listed.slice(4), ...(extended ? [{ name: 'extra', inputSchema: object() }] : [])] }
  })
  server.setRequestHandler(types.CallToolRequestSchema, ({ params }, extra) => {
    if (!Object.hasOwn(tools, params.name))
      throw new types.McpError(types.ErrorCode.InvalidParams, `Unknown tool: ${params.name}`)
    return tools[params.name].run(params.arguments ?? {}, extra, params._meta?.progressToken, params.task)
  })
}

function addResources(server, types) {
  const resources = [
    { uri: 'note:///motto', name: 'motto', mimeType: 'text/plain' },
    { uri: 'note:///picture', name: 'picture', mimeType: 'image/png' },
  ]
  const resourceTemplates = [{ uriTemplate: 'note:///by/{name}', name: 'note' }]
  server.setRequestHandler(types.ListResourcesRequestSchema, ({ params }) =>
    params?.cursor === 'second'
      ? { resources: resources.slice(1) }
      : { resources: [resources[0]], nextCursor: 'second' },
  )
  server.setRequestHandler(types.ListResourceTemplatesRequestSchema, () => ({ resourceTemplates }))
  server.setRequestHandler(types.ReadResourceRequestSchema, ({ params: { uri } }) => {
    if (uri === 'note:///motto') return { contents: [{ uri, mimeType: 'text/plain', text: 'Measure twice' }] }
    if (uri === 'note:///picture') return { contents: [{ uri, mimeType: 'image/png', blob: picture }] }
    const [, name] = /^note:\/\/\/by\/(\w+)$/.exec(uri) ?? []
    if (name === undefined) throw new types.McpError(-32002, `Unknown resource: ${uri}`)
    return { contents: [{ uri, mimeType: 'text/plain', text: `A note by ${name}` }] }
  })
  server.setRequestHandler(types.SubscribeRequestSchema, () => ({}))
  server.setRequestHandler(types.UnsubscribeRequestSchema, () => ({}))
}

function addPrompts(server, types) {
  const prompts = [{ name: 'greet', arguments: [{ name: 'name', required: true }] }]
  server.setRequestHandler(types.ListPromptsRequestSchema, () => ({ prompts }))
  server.setRequestHandler(types.GetPromptRequestSchema, ({ params }) => {
    const name = params.arguments?.name
    if (name === undefined) throw new types.McpError(types.ErrorCode.InvalidParams, 'name is missing')
    return { messages: [{ role: 'user', content: { type: 'text', text: `Greet ${name}` } }] }
  })
  server.setRequestHandler(types.CompleteRequestSchema, ({ params: { argument } }) => ({
    completion: { values: names.filter((name) => name.startsWith(argument.value)) },
  }))
}
