import { Client, SSEClientTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { z } from 'zod'
import { afterAuthorization, authProvider } from '../sdk-v1/auth-provider.mjs'

const logLevelKey = 'io.modelcontextprotocol/logLevel'

/** Opens a connection with the client of version 2, in the form that tasks use. */
export async function open(target, answers) {
  const isModern = target.era === '2026'
  const provider = answers.browse && authProvider(answers.browse)
  const attempt = async () => {
    const client = new Client(
      { name: 'interop', version: '1.0.0' },
      {
        capabilities: {
          ...(answers.sample && { sampling: {} }),
          ...(answers.elicit && { elicitation: { form: {} } }),
          ...(answers.roots && { roots: {} }),
        },
        versionNegotiation: { mode: isModern ? { pin: '2026-07-28' } : 'legacy' },
      },
    )
    answer(client, answers)
    const transport = transportTo(target, provider)
    return { client, transport, connected: client.connect(transport) }
  }
  const { client } = await afterAuthorization(attempt, provider)
  if (answers.logLevel && !isModern) await client.setLoggingLevel(answers.logLevel)
  if (answers.onToolsChanged && isModern) await client.listen({ toolsListChanged: true })
  // From 2026-07-28 on every request carries the level.
  const meta = answers.logLevel && isModern ? { _meta: { [logLevelKey]: answers.logLevel } } : {}
  return session(client, isModern, meta)
}

function answer(client, { sample, elicit, roots, onToolsChanged, onLog }) {
  if (sample) client.setRequestHandler('sampling/createMessage', ({ params }) => sample(params))
  if (elicit) client.setRequestHandler('elicitation/create', ({ params }) => elicit(params))
  if (roots) client.setRequestHandler('roots/list', () => ({ roots }))
  if (onToolsChanged) client.setNotificationHandler('notifications/tools/list_changed', onToolsChanged)
  if (onLog) client.setNotificationHandler('notifications/message', ({ params }) => onLog(params))
}

function transportTo({ kind, url, command, args, env }, authProvider) {
  if (kind === 'http') return new StreamableHTTPClientTransport(new URL(url), { authProvider })
  if (kind === 'sse') return new SSEClientTransport(new URL(url))
  return new StdioClientTransport({ command, args, stderr: 'ignore', env: { ...getDefaultEnvironment(), ...env } })
}

function session(client, isModern, meta) {
  const watched = new Map()
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => watched.get(params.uri)?.(params))
  return {
    revision: client.getNegotiatedProtocolVersion(),
    serverName: client.getServerVersion()?.name,
    ping: () => (isModern ? client.discover() : client.ping()),
    request: (method, params) => client.request({ method, params }, z.looseObject({})),
    tools: async () => (await client.listTools()).tools,
    call: async (name, args, { onProgress, signal } = {}) => {
      const result = await client.callTool({ name, arguments: args, ...meta }, { onprogress: onProgress, signal })
      return { ...result, structured: result.structuredContent }
    },
    resources: async () => (await client.listResources()).resources,
    templates: async () => (await client.listResourceTemplates()).resourceTemplates,
    read: async (uri) => (await client.readResource({ uri })).contents,
    prompts: async () => (await client.listPrompts()).prompts,
    prompt: (name, args) => client.getPrompt({ name, arguments: args }),
    complete: async (ref, argument) => (await client.complete({ ref, argument })).completion.values,
    watch: async (uri, listener) => {
      watched.set(uri, listener)
      if (isModern) return client.listen({ resourceSubscriptions: [uri] })
      await client.subscribeResource({ uri })
      return { close: () => client.unsubscribeResource({ uri }) }
    },
    close: () => client.close(),
  }
}
