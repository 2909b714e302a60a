import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import { appsCapability, appUriOf, isForModel, loadApp } from '@tenon/sdk/apps/host'
import { connect } from '@tenon/sdk/client'

const server = fileURLToPath(new URL('server.js', import.meta.url))

// A client without views: the tool is a tool like any other.
await using plain = await connect({ command: 'node', args: [server] })
console.log(
  'without views:',
  (await plain.listTools()).tools.map(({ name }) => name),
)

// A host: `mountApp` shows the page in a sandbox. Outside of a browser it can be loaded and checked.
await using host = await connect({ command: 'node', args: [server] }, { capabilities: appsCapability })
const { tools } = await host.listTools()
for (const tool of tools) console.log(`${tool.name}, for the ${isForModel(tool) ? 'model' : 'view'}: ${appUriOf(tool)}`)

const { html, csp } = await loadApp(host, 'ui://dice/table')
console.log(/<title>.*<\/title>/.exec(html)?.[0], csp)
assert.match(html, /<script type="module">/)

const { content } = await host.callTool('dice', { sides: 20 })
console.log(content.at(-1))
