import type { JsonObject } from '@tenon/sdk/client'
import { isObject } from '../../json/is-object.ts'

/** A value that means itself in a file of saved calls, in which `${name}` stands for a variable. */
export function literal<Value>(value: Value): Value {
  if (typeof value === 'string') return value.replace(/\$\{[^{}]{1,200}\}/g, (found) => `$${found}`) as Value
  if (Array.isArray(value)) return value.map(literal) as Value
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, literal(member)])) as Value
}

/** A request as a file writes it; undefined if files have no word for its method. Nothing in it is escaped. */
export function toSavedCall(method: string, params: JsonObject): JsonObject | undefined {
  const { name, uri, arguments: args } = params
  const given = isObject(args) && Object.keys(args).length > 0 ? { arguments: args } : {}
  if (method === 'tools/call') return isName(name) ? { tool: name, ...given } : undefined
  if (method === 'prompts/get') return isName(name) ? { prompt: name, ...given } : undefined
  if (method === 'resources/read') return isName(uri) ? { read: uri } : undefined
  return method === 'completion/complete' ? toCompletion(params) : undefined
}

function toCompletion({ ref, argument, context }: JsonObject): JsonObject | undefined {
  if (!isObject(ref) || !isObject(argument) || !isName(argument.name)) return undefined
  const name = ref.type === 'ref/prompt' ? ref.name : ref.uri
  if (!isName(name)) return undefined
  const about = ref.type === 'ref/prompt' ? { prompt: name } : { template: name }
  const known = isObject(context) && isObject(context.arguments) ? { context: context.arguments } : {}
  return { complete: { ...about, argument: argument.name, value: String(argument.value ?? ''), ...known } }
}

const isName = (value: unknown): value is string => typeof value === 'string' && value !== ''

/** Longer texts are not written down whole: their beginning says which they are. */
const maxText = 400

/** The expectation that a result meets. Nothing in it is escaped. */
export function toExpectation(result: JsonObject): JsonObject {
  const failed = result.isError === true ? { isError: true } : {}
  const { structuredContent: structured, completion } = result
  if (structured !== undefined) return { ...failed, structured }
  if (isObject(completion)) return { at: { values: completion.values } }
  const blocks = [result.content, result.contents, result.messages].find(Array.isArray)
  if (blocks === undefined) return failed
  const texts = blocks.flatMap(textsIn)
  // One block that is text says how many there are.
  const count = blocks.length === 1 && texts.length === 1 ? {} : { count: blocks.length }
  const text = texts.join('\n')
  if (text === '') return { ...failed, ...count }
  return { ...failed, ...count, text: text.length <= maxText ? text : { startsWith: text.slice(0, maxText) } }
}

/** The texts of a block of content, or of a message, whose content may be a list. */
function textsIn(block: unknown): string[] {
  if (!isObject(block)) return []
  if (typeof block.text === 'string') return [block.text]
  return [block.content]
    .flat()
    .flatMap((inner) => (isObject(inner) && typeof inner.text === 'string' ? inner.text : []))
}
