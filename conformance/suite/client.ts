import {
  type ConnectOptions,
  connect,
  type ElicitFormParams,
  type ElicitResult,
  type Revision,
  revisions,
} from '@tenon/sdk/client'
import { type ScenarioContext, scenarios } from './client/scenarios.ts'

const { MCP_CONFORMANCE_SCENARIO, MCP_CONFORMANCE_PROTOCOL_VERSION, MCP_CONFORMANCE_CONTEXT } = process.env

/** The revision that the suite asks for and those before it; without one, all. */
const spoken = (newest: string | undefined): readonly Revision[] =>
  newest === undefined ? revisions : revisions.filter((revision) => revision <= newest)

/** Says yes to what a form wants confirmed; the rest has defaults. */
const fillIn = ({ requestedSchema }: ElicitFormParams): ElicitResult => ({
  action: 'accept',
  content: 'confirmed' in requestedSchema.properties ? { confirmed: true } : {},
})

/** A client with everything that a server may ask for. */
const options: ConnectOptions = {
  info: { name: 'tenon-conformance-client', version: '1.0.0' },
  revisions: spoken(MCP_CONFORMANCE_PROTOCOL_VERSION),
  elicit: { form: fillIn },
  sample: () => ({ role: 'assistant', content: { type: 'text', text: 'Example' }, model: 'example' }),
  roots: [{ uri: 'file:///example', name: 'Example' }],
  onError: (error) => console.error('error:', error.message),
  onWarning: (message) => console.error('warning:', message),
}

const url = process.argv.at(-1)!
const name = MCP_CONFORMANCE_SCENARIO ?? 'initialize'
const scenario = scenarios.get(name)
if (scenario === undefined) throw new Error(`There is no scenario ${JSON.stringify(name)} here`)
const context = JSON.parse(MCP_CONFORMANCE_CONTEXT ?? '{}') as ScenarioContext

const client = await connect(url, options)
try {
  await scenario(client, context)
} finally {
  await client.close()
}
