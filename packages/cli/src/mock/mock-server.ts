import { ErrorCode, type JsonObject, type JsonSchema, type JsonValue, RpcError } from '@tenon/sdk/client'
import { type BackendRequest, backend } from '@tenon/sdk/relay'
import { compileSchema, formatIssues } from '@tenon/sdk/schema'
import { createServer, type Server } from '@tenon/sdk/server'
import type { MockedOffers } from './mocked-offers.ts'
import { randomFrom } from './random.ts'
import { sampleValue } from './sample-value.ts'

/** The lists by the method that asks for them, with the member of the result. */
const listMethods: ReadonlyMap<string, [kind: string, member: string]> = new Map([
  ['tools/list', ['tools', 'tools']],
  ['resources/list', ['resources', 'resources']],
  ['resources/templates/list', ['templates', 'resourceTemplates']],
  ['prompts/list', ['prompts', 'prompts']],
])

/** A server with the offers of another: it answers as recorded, and otherwise with results made up from the schemas. */
export function mockServer(offers: MockedOffers, seed: string): Server {
  const { info, instructions, items } = offers
  return createServer({
    name: info.name,
    version: info.version,
    backend: backend({
      introduce: () => ({ info, instructions, capabilities: capabilitiesOf(items) }),
      answer: async (request) => {
        const list = listMethods.get(request.method)
        if (list !== undefined) return { [list[1]]: [...(items.get(list[0]) ?? [])] as JsonValue[] }
        const { method, params, signal } = request
        return (await offers.recorded?.(method, params, signal)) ?? madeUp(request, offers, seed)
      },
      listen: async () => ({ honoured: {}, stop: () => {} }),
    }),
  })
}

const capabilitiesOf = (items: MockedOffers['items']): JsonObject => ({
  ...(items.has('tools') && { tools: {} }),
  ...((items.has('resources') || items.has('templates')) && { resources: {} }),
  ...(items.has('prompts') && { prompts: {} }),
})

function madeUp({ method, params }: BackendRequest, { items }: MockedOffers, seed: string): JsonObject {
  switch (method) {
    case 'tools/call':
      return callResult(find(items, 'tools', 'name', params.name, 'tool'), params, seed)
    case 'prompts/get': {
      const { name, description } = find(items, 'prompts', 'name', params.name, 'prompt')
      const text = `${name} ${JSON.stringify(params.arguments ?? {})}`
      return {
        ...(typeof description === 'string' && { description }),
        messages: [{ role: 'user', content: { type: 'text', text } }],
      }
    }
    case 'resources/read': {
      const found = items.get('resources')?.find(({ uri }) => uri === params.uri)
      if (!found) throw new RpcError(ErrorCode.ResourceNotFound, 'Resource not found', { uri: params.uri })
      const { uri, mimeType, name } = found
      return {
        contents: [{ uri: uri!, ...(typeof mimeType === 'string' && { mimeType }), text: `Contents of ${name}` }],
      }
    }
    case 'ping':
    case 'logging/setLevel':
    case 'resources/subscribe':
    case 'resources/unsubscribe':
      return {}
    default:
      throw new RpcError(ErrorCode.MethodNotFound, `Method not found: ${method}`)
  }
}

function find(items: MockedOffers['items'], kind: string, member: string, name: unknown, word: string): JsonObject {
  const found = items.get(kind)?.find((item) => item[member] === name)
  if (found) return found
  throw new RpcError(ErrorCode.InvalidParams, `Unknown ${word}: ${JSON.stringify(name)}`)
}

/** The result of a tool: made up from the schema of its results, always the same for the same arguments. */
function callResult({ name, inputSchema, outputSchema }: JsonObject, params: JsonObject, seed: string): JsonObject {
  const given = params.arguments ?? {}
  const issues = issuesOf(inputSchema as JsonSchema, given)
  if (issues.length > 0) return { content: [{ type: 'text', text: formatIssues(issues, 'arguments') }], isError: true }
  const said = JSON.stringify(given)
  if (outputSchema === undefined) return { content: [{ type: 'text', text: `${name} ${said}` }] }
  const structured = sampleValue(outputSchema as JsonSchema, randomFrom(seed, String(name), said))
  return { content: [{ type: 'text', text: JSON.stringify(structured) }], structuredContent: structured }
}

/** A schema that cannot be used was reported at the start, and checks nothing. */
function issuesOf(schema: JsonSchema, value: unknown): ReturnType<ReturnType<typeof compileSchema>['validate']> {
  try {
    return compileSchema(schema).validate(value)
  } catch {
    return []
  }
}

/** The tools whose schemas cannot be used, or for which no fitting result was made up, each with the reason. */
export function mockProblems({ items }: MockedOffers, seed: string): string[] {
  return (items.get('tools') ?? []).flatMap(({ name, inputSchema, outputSchema }) => {
    try {
      compileSchema(inputSchema as JsonSchema)
      if (outputSchema === undefined) return []
      const sample = sampleValue(outputSchema as JsonSchema, randomFrom(seed, String(name), '{}'))
      const issues = compileSchema(outputSchema as JsonSchema).validate(sample)
      return issues.length === 0
        ? []
        : [`${name}: a result that fits cannot be made up: ${formatIssues(issues, 'result')}`]
    } catch (error) {
      return [`${name}: ${(error as Error).message}`]
    }
  })
}
