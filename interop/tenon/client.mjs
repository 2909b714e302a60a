import { authorizationCode, oauth } from '@tenon/sdk/auth'
import { connect } from '@tenon/sdk/client'

const sessionRevisions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']

/** Opens a connection with Tenon's client, in the form that tasks use. */
export async function open(target, answers) {
  const client = await connect(targetOf(target), {
    info: { name: 'interop', version: '1.0.0' },
    tasks: true,
    // A server of one era is detected, as for every user; for one with both eras the client has to choose. Some take long to
    // detect, which the first task shows.
    ...(target.era !== '2026' && (target.hasBothEras || target.isKnown) && { revisions: sessionRevisions }),
    ...(answers.sample && { sample: answers.sample }),
    ...(answers.elicit && { elicit: answers.elicit }),
    ...(answers.roots && { roots: answers.roots }),
    ...(answers.onLog && { onLog: answers.onLog }),
    ...(answers.browse && { auth: oauth({ grant: authorizationCode({ redirect: redirectOf(answers.browse) }) }) }),
  })
  if (answers.onToolsChanged) client.onChange('tools', answers.onToolsChanged)
  if (answers.logLevel) await client.setLoggingLevel(answers.logLevel)
  return {
    revision: client.server.revision,
    serverName: client.server.info?.name,
    ping: () => client.ping(),
    request: (method, params) => client.request(method, params),
    tools: () => all(client.tools()),
    call: (name, args, options) => client.callTool(name, args, options),
    callAsTask: (name, args, onStatus) => client.callTool(name, args, { task: { ttlMs: 60_000, onStatus } }),
    startTask: async (name, args) => (await client.tasks.start(name, args, { ttlMs: 60_000 })).id,
    taskStatus: async (id) => (await client.tasks.get(id)).status,
    cancelTask: (id) => client.tasks.cancel(id),
    ...(client.server.capabilities.tasks?.list && {
      listTasks: async () => (await all(client.tasks.list())).map(({ taskId }) => taskId),
    }),
    resources: () => all(client.resources()),
    templates: () => all(client.resourceTemplates()),
    read: async (uri) => (await client.readResource(uri)).contents,
    prompts: () => all(client.prompts()),
    prompt: (name, args) => client.getPrompt(name, args),
    complete: async (ref, argument) => (await client.complete(ref, argument)).values,
    watch: (uri, listener) => client.watch(uri, listener),
    close: () => client.close(),
  }
}

const targetOf = ({ url, command, args, env }) => url ?? { command, args, ...(env && { env }), stderr: 'ignore' }

const redirectOf = (visit) => () => ({ uri: 'http://127.0.0.1:4999/callback', visit, close: () => {} })

async function all(iterable) {
  const items = []
  for await (const item of iterable) items.push(item)
  return items
}
