import type { JsonObject } from '@tenon/sdk/client'
import { stringify } from 'yaml'
import { resultOf } from '../diff/inventory.ts'
import { canonical } from '../json/canonical.ts'
import { isObject } from '../json/is-object.ts'
import { marker } from '../json/marker.ts'
import { type Turn, turnsOf } from '../serve/turns.ts'
import type { Session } from '../session/format.ts'
import { answersIn } from './recorded-answers.ts'

/** Longer texts are not written down whole: their beginning says which they are. */
const maxText = 400

const lists: ReadonlyMap<string, { list: string; member: string }> = new Map([
  ['tools/list', { list: 'tools', member: 'tools' }],
  ['resources/list', { list: 'resources', member: 'resources' }],
  ['resources/templates/list', { list: 'templates', member: 'resourceTemplates' }],
  ['prompts/list', { list: 'prompts', member: 'prompts' }],
])

/**
 * Makes saved calls of a session: what was asked, once each, with the answers as what is expected. What was redacted is
 * to be found in the environment. The text is YAML, for a person to go on with.
 */
export function callsFromSession(session: Session, options: { title?: string } = {}): string {
  const turns = turnsOf(session)
  const calls: JsonObject[] = []
  const seen = new Set<string>()
  for (const [index, turn] of turns.entries()) {
    // A request that is made again with answers belongs to the one before it.
    const call = turn.message.params?.inputResponses === undefined ? callOf(turn, turns.slice(index + 1)) : undefined
    if (call === undefined) continue
    const { expect: _, answers: _a, ...operation } = call
    const key = canonical(operation)
    if (!seen.has(key)) calls.push(call)
    seen.add(key)
  }
  const { title } = options
  return stringify({ tenonCalls: 1, ...(title !== undefined && { title }), calls }, { lineWidth: 110 })
}

function callOf(turn: Turn, later: readonly Turn[]): JsonObject | undefined {
  const { method } = turn.message
  const params = isObject(turn.message.params) ? turn.message.params : {}
  const list = lists.get(method)
  if (list !== undefined) return params.cursor === undefined ? listCall(turn, list) : undefined
  const operation = operationOf(method, params)
  if (operation === undefined) return undefined
  const { answers, last } = answersIn(turn, later)
  const expect = expectationOf(last)
  if (expect === undefined) return undefined
  const given = { ...operation, ...(answers.length > 0 && { answers }) }
  return { ...(mapTexts(given, fromEnvironment) as JsonObject), expect: mapTexts(expect, escaped) }
}

function operationOf(method: string, params: JsonObject): JsonObject | undefined {
  const { name, uri, arguments: args } = params
  const given = isObject(args) && Object.keys(args).length > 0 ? { arguments: args } : {}
  if (method === 'tools/call') return isName(name) ? { tool: name, ...given } : undefined
  if (method === 'prompts/get') return isName(name) ? { prompt: name, ...given } : undefined
  if (method === 'resources/read') return isName(uri) ? { read: uri } : undefined
  return method === 'completion/complete' ? completionOf(params) : undefined
}

function completionOf({ ref, argument, context }: JsonObject): JsonObject | undefined {
  if (!isObject(ref) || !isObject(argument) || !isName(argument.name)) return undefined
  const name = ref.type === 'ref/prompt' ? ref.name : ref.uri
  if (!isName(name)) return undefined
  const about = ref.type === 'ref/prompt' ? { prompt: name } : { template: name }
  const known = isObject(context) && isObject(context.arguments) ? { context: context.arguments } : {}
  return { complete: { ...about, argument: argument.name, value: String(argument.value ?? ''), ...known } }
}

const isName = (value: unknown): value is string => typeof value === 'string' && value !== ''

function listCall(turn: Turn, { list, member }: { list: string; member: string }): JsonObject | undefined {
  const items = resultOf(turn)?.[member]
  if (!Array.isArray(items)) return undefined
  const names = items.flatMap((item) => (isObject(item) && typeof item.name === 'string' ? [item.name] : []))
  return { list, expect: { at: { names: { includes: names.slice(0, 50).map(escaped) } } } }
}

function expectationOf(turn: Turn): JsonObject | undefined {
  const result = resultOf(turn)
  const answer = turn.steps.find(({ kind }) => kind === 'answer')?.message as { error?: unknown } | undefined
  if (answer?.error !== undefined) return { error: codeOf(answer.error) }
  if (result === undefined) return undefined
  const failed = result.isError === true ? { isError: true } : {}
  const { structuredContent: structured, completion } = result
  if (structured !== undefined && !hasGap(structured)) return { ...failed, structured }
  if (isObject(completion)) return { at: { values: completion.values } }
  const blocks = [result.content, result.contents, result.messages].find(Array.isArray) ?? []
  return { ...failed, count: blocks.length, ...textOf(blocks) }
}

const codeOf = (error: unknown): number | true =>
  isObject(error) && typeof error.code === 'number' ? error.code : true

function textOf(blocks: readonly unknown[]): JsonObject {
  const texts = blocks.flatMap((block) => {
    const inner = isObject(block) && isObject(block.content) ? block.content : block
    return isObject(inner) && typeof inner.text === 'string' ? [inner.text] : []
  })
  const text = texts.join('\n')
  if (text === '' || hasGap(text)) return {}
  return { text: text.length <= maxText ? text : { startsWith: text.slice(0, maxText) } }
}

const hasGap = (value: unknown): boolean => JSON.stringify(value).includes(marker)

/** What looks like a variable was none when it was recorded. */
const escaped = (text: string): string => text.replaceAll('${', () => '$${')

/** `password: "[redacted]"` becomes `${env.PASSWORD}`. */
function fromEnvironment(text: string, name: string): string {
  const variable = name.replace(/([a-z\d])([A-Z])/g, '$1_$2').replace(/[^A-Za-z\d]+/g, '_')
  return escaped(text).replaceAll(marker, () => `\${env.${variable.toUpperCase()}}`)
}

function mapTexts(value: unknown, map: (text: string, name: string) => string, name = 'secret'): unknown {
  if (typeof value === 'string') return map(value, name)
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, map, name))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([member, inner]) => [member, mapTexts(inner, map, member)]))
}
