// The host's page. Bundled for browsers, and served under a policy of its own.
import { appsCapability, appUriOf, isForModel, mountApp } from '@tenon/sdk/apps/host'
import { connect } from '@tenon/sdk/client'

const log = { requests: [], links: [], errors: [] }
let client
let mounted

globalThis.log = log
globalThis.mounted = () => mounted

globalThis.open = async (url) => {
  client = await connect(url, { capabilities: appsCapability })
}

/** The tools that a model would see. */
globalThis.modelTools = async () => {
  const { tools } = await client.listTools()
  return tools.filter(isForModel).map(({ name }) => name)
}

globalThis.show = async (app, sandbox, more = {}) => {
  const container = document.body.appendChild(document.createElement('div'))
  mounted = await mountApp({
    client,
    container,
    app,
    sandbox,
    info: { name: 'host', version: '1.0.0' },
    context: { theme: 'dark', styles: { variables: { '--color-text-primary': 'rgb(1, 2, 3)' } } },
    callTool: true,
    message: () => {},
    openLink: ({ href }) => void log.links.push(href),
    onRequest: ({ method, error }) => void log.requests.push([method, error?.code]),
    onError: (error) => void log.errors.push(error.message),
    ...more,
  })
}

/** Calls a tool and shows its view, as a chat would. */
globalThis.callAndShow = async (name, args, sandbox) => {
  const tools = []
  for await (const tool of client.tools()) tools.push(tool)
  await globalThis.show(appUriOf(tools.find((tool) => tool.name === name)), sandbox)
  mounted.bridge.toolInput(args)
  mounted.bridge.toolResult(await client.callTool(name, args))
}

globalThis.failureOf = async (app, sandbox, more) => {
  try {
    await globalThis.show(app, sandbox, more)
    return 'shown'
  } catch (error) {
    return error.code
  }
}

globalThis.end = async () => {
  await mounted.close('the check is over')
  return document.querySelectorAll('iframe').length
}
