import type { JsonObject } from '@tenon/sdk/client'
import type { Operation, Outcome } from '../../src/protocol.ts'

/** A value that means itself in a file, in which `${name}` stands for a variable. */
export function literal<Value>(value: Value): Value {
  if (typeof value === 'string') return value.replace(/\$\{[^{}]{1,200}\}/g, (found) => `$${found}`) as Value
  if (Array.isArray(value)) return value.map(literal) as Value
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, literal(member)])) as Value
}

const ifAny = (args: JsonObject): JsonObject => (Object.keys(args).length > 0 ? { arguments: literal(args) } : {})

/** An operation, as a file of saved calls writes it. */
export function toSource(operation: Operation): JsonObject {
  switch (operation.method) {
    case 'tools/call':
      return { tool: literal(operation.name), ...ifAny(operation.arguments) }
    case 'resources/read':
      return { read: literal(operation.uri) }
    case 'prompts/get':
      return { prompt: literal(operation.name), ...ifAny(operation.arguments) }
    case 'request':
      return { request: { method: operation.name, params: literal(operation.params) } }
  }
}

/** A request that travelled, as an operation. Members that belong to the protocol are not the caller's. */
export function toOperation(method: string, params: unknown): Operation {
  const { _meta: _, ...own } = (params ?? {}) as JsonObject
  const { name, uri, arguments: args = {} } = own as { name?: unknown; uri?: unknown; arguments?: JsonObject }
  if (method === 'tools/call' && typeof name === 'string') return { method, name, arguments: args }
  if (method === 'resources/read' && typeof uri === 'string') return { method, uri }
  if (method === 'prompts/get' && typeof name === 'string') {
    return { method, name, arguments: args as { [name: string]: string } }
  }
  return { method: 'request', name: method, params: own }
}

/** What would have to be expected for the answer that came. */
export function expectationOf(operation: Operation, outcome: Outcome | undefined, hasSchema: boolean): JsonObject {
  if (outcome === undefined) return {}
  if (outcome.kind === 'problem') {
    const { code } = outcome.problem
    return { error: code ?? true }
  }
  const { result } = outcome
  if (operation.method === 'tools/call') return toolExpectation(result, hasSchema)
  if (operation.method === 'request') return { result: literal(withoutMeta(result)) }
  const [member, items] =
    operation.method === 'resources/read' ? ['contents', result.contents] : ['messages', result.messages]
  return {
    count: Array.isArray(items) ? items.length : 0,
    ...textOf(Array.isArray(items) ? items : [], member === 'messages'),
  }
}

function toolExpectation(result: JsonObject, hasSchema: boolean): JsonObject {
  const { content, structuredContent, isError } = result
  const failed = isError === true ? { isError: true } : {}
  if (structuredContent !== undefined) {
    return { ...failed, structured: literal(structuredContent), ...(hasSchema && { schema: true }) }
  }
  return { ...failed, ...textOf(Array.isArray(content) ? content : [], false) }
}

const withoutMeta = ({ _meta: _, resultType: __, ...rest }: JsonObject): JsonObject => rest

function textOf(items: readonly unknown[], areMessages: boolean): JsonObject {
  const blocks = areMessages ? items.flatMap((message) => [(message as { content?: unknown }).content].flat()) : items
  const texts = blocks.flatMap((block) => {
    const text = (block as { text?: unknown } | null)?.text
    return typeof text === 'string' ? [text] : []
  })
  return texts.length === 0 ? {} : { text: literal(texts.join('\n')) }
}
