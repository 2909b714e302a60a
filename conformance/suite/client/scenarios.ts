import type { Client, JsonObject, Tool } from '@tenon/sdk/client'
import { skillsOf } from '@tenon/sdk/skills'
import { authScenarios } from './authorization.ts'

/** The suite's settings for a client besides the URL: the calls to make. */
export interface ScenarioContext {
  [member: string]: unknown
  toolCalls?: { name: string; arguments: JsonObject }[]
}

export type Scenario = (client: Client, context: ScenarioContext) => Promise<unknown>

/** The actions of a client in each scenario, once it is connected. */
export const scenarios: ReadonlyMap<string, Scenario> = new Map<string, Scenario>([
  ['initialize', listUndeclaredTools],
  ['request-metadata', listUndeclaredTools],
  ['json-schema-ref-no-deref', listTools],
  ['tools_call', (client) => client.callTool('add_numbers', { a: 5, b: 3 })],
  ['elicitation-sep1034-client-defaults', (client) => client.callTool('test_client_elicitation_defaults')],
  ['sse-retry', (client) => client.callTool('test_reconnection')],
  ['http-standard-headers', useEverything],
  ['http-custom-headers', makeCalls],
  ['http-invalid-tool-headers', callEveryTool],
  ['json-schema-2020-12-preservation', echoSchema],
  ['sep-2322-client-request-state', callToolsAtOnce],
  ['sep-2640-client-no-prefetch', (client) => skillsOf(client).list()],
  ['sep-2640-client-verify-digest', useSkills],
  ['sep-2640-client-verify-size', useSkills],
  ['sep-2640-client-verify-frontmatter', useSkills],
  ...authScenarios.map((name): [string, Scenario] => [name, useProtectedServer]),
])

async function listTools(client: Client): Promise<Tool[]> {
  const tools: Tool[] = []
  for await (const tool of client.tools()) tools.push(tool)
  return tools
}

/** Some servers of the suite answer `tools/list` but declare no tools, so that `client.tools()` would not send it. */
async function listUndeclaredTools(client: Client): Promise<unknown> {
  return client.request('tools/list')
}

async function useProtectedServer(client: Client): Promise<void> {
  await listUndeclaredTools(client)
  await client.request('tools/call', { name: 'test-tool', arguments: {} })
}

async function useEverything(client: Client): Promise<void> {
  for (const { name } of await listTools(client)) await client.callTool(name)
  for await (const { uri } of client.resources()) await client.readResource(uri)
  for await (const { name } of client.prompts()) await client.getPrompt(name)
}

async function makeCalls(client: Client, { toolCalls = [] }: ScenarioContext): Promise<void> {
  await listTools(client)
  for (const call of toolCalls) await client.callTool(call.name, call.arguments)
}

async function callEveryTool(client: Client): Promise<void> {
  for (const { name, inputSchema } of await listTools(client)) await client.callTool(name, exampleOf(inputSchema))
}

/** Arguments for tools whose required members are strings. */
const exampleOf = ({ required }: Tool['inputSchema']): JsonObject =>
  Object.fromEntries((Array.isArray(required) ? required : []).map((name) => [String(name), 'example']))

/** Each on a connection of its own: their input requests do not mix. */
async function callToolsAtOnce(client: Client): Promise<void> {
  const tools = await listTools(client)
  await Promise.all(tools.map(({ name }) => client.callTool(name)))
}

async function echoSchema(client: Client): Promise<void> {
  const focal = (await listTools(client)).find(({ name }) => name === 'json_schema_2020_12_tool')
  if (focal === undefined) throw new Error('json_schema_2020_12_tool is not listed')
  await client.callTool('json_schema_echo', { schema: focal.inputSchema })
}

/** Reads every file of every skill; the first mismatch with the list ends it. */
async function useSkills(client: Client): Promise<void> {
  const { skills } = await skillsOf(client).list()
  for (const skill of skills) {
    await skillsOf(client).read(skill)
    for (const { uri } of skill.resources === 'dynamic' ? [] : skill.resources) await skillsOf(client).read(skill, uri)
  }
}
