import {
  type ConnectOptions,
  connect,
  type ElicitFormParams,
  type ElicitResult,
  type Revision,
  revisions,
} from '@tenon/sdk/client'
import { authFor } from './client/authorization.ts'
import { type ScenarioContext, scenarios } from './client/scenarios.ts'

const { MCP_CONFORMANCE_SCENARIO, MCP_CONFORMANCE_PROTOCOL_VERSION, MCP_CONFORMANCE_CONTEXT } = process.env

/** The revision that the suite requests and those before it; without one, all. */
const spoken = (newest: string | undefined): readonly Revision[] =>
  newest === undefined ? revisions : revisions.filter((revision) => revision <= newest)

/** Confirms the form; the other fields have defaults. */
const fillIn = ({ requestedSchema }: ElicitFormParams): ElicitResult => ({
  action: 'accept',
  content: 'confirmed' in requestedSchema.properties ? { confirmed: true } : {},
})

/** A client with all capabilities. */
const options: ConnectOptions = {
  info: { name: 'tenon-conformance-client', version: '1.0.0' },
  revisions: spoken(MCP_CONFORMANCE_PROTOCOL_VERSION),
  elicit: { form: fillIn },
  sample: () => ({ role: 'assistant', content: { type: 'text', text: 'Example' }, model: 'example' }),
  roots: [{ uri: 'file:///example', name: 'Example' }],
  onError: (error) => console.error('error:', error.message),
  onWarning: (message) => console.error('warning:', message),
}

function misused(problem: string): never {
  console.error(
    `${problem}\nUsage: [MCP_CONFORMANCE_SCENARIO=<one of ${[...scenarios.keys()].join(', ')}>] client <url>`,
  )
  process.exit(2)
}

const url = process.argv.slice(2).at(-1) ?? misused('The URL of a server is missing.')
const name = MCP_CONFORMANCE_SCENARIO ?? 'initialize'
const scenario = scenarios.get(name) ?? misused(`There is no scenario ${JSON.stringify(name)}.`)
const context = JSON.parse(MCP_CONFORMANCE_CONTEXT ?? '{}') as ScenarioContext

const client = await connect(url, { ...options, ...authFor(name, context) })
try {
  await scenario(client, context)
} finally {
  await client.close()
}
