import type { JsonObject } from '@tenon/sdk/client'
import { resultOf } from '../../diff/inventory.ts'
import { canonical } from '../../json/canonical.ts'
import { isObject } from '../../json/is-object.ts'
import { redactionMarker } from '../../json/redaction-marker.ts'
import { type Turn, turnsOf } from '../../serve/turns.ts'
import type { Session } from '../../session/format.ts'
import { callsText } from './calls-text.ts'
import { answersIn } from './recorded-answers.ts'
import { literal, toExpectation, toSavedCall } from './saved-call.ts'

const lists: ReadonlyMap<string, { list: string; member: string }> = new Map([
  ['tools/list', { list: 'tools', member: 'tools' }],
  ['resources/list', { list: 'resources', member: 'resources' }],
  ['resources/templates/list', { list: 'templates', member: 'resourceTemplates' }],
  ['prompts/list', { list: 'prompts', member: 'prompts' }],
])

/**
 * Makes saved calls of a session: every request once, expecting the recorded result. Redacted values become variables
 * of the environment. The text is YAML, for a person to edit.
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
  return callsText({ ...(title !== undefined && { title }), calls })
}

function callOf(turn: Turn, later: readonly Turn[]): JsonObject | undefined {
  const { method } = turn.message
  const params = isObject(turn.message.params) ? turn.message.params : {}
  const list = lists.get(method)
  if (list !== undefined) return params.cursor === undefined ? listCall(turn, list) : undefined
  const operation = toSavedCall(method, params)
  if (operation === undefined) return undefined
  const { answers, last } = answersIn(turn, later)
  const expect = expectationOf(last)
  if (expect === undefined) return undefined
  const given = { ...operation, ...(answers.length > 0 && { answers }) }
  return { ...(mapTexts(given, fromEnvironment) as JsonObject), expect: literal(expect) }
}

function listCall(turn: Turn, { list, member }: { list: string; member: string }): JsonObject | undefined {
  const items = resultOf(turn)?.[member]
  if (!Array.isArray(items)) return undefined
  const names = items.flatMap((item) => (isObject(item) && typeof item.name === 'string' ? [item.name] : []))
  return { list, expect: { at: { names: { includes: literal(names.slice(0, 50)) } } } }
}

function expectationOf(turn: Turn): JsonObject | undefined {
  const result = resultOf(turn)
  const answer = turn.steps.find(({ kind }) => kind === 'answer')?.message as { error?: unknown } | undefined
  if (answer?.error !== undefined) return { error: codeOf(answer.error) }
  if (result === undefined) return undefined
  // Redacted values cannot be expected: the text stands in for structured content with gaps.
  const { structuredContent, ...rest } = result
  const { text, ...expected } = toExpectation(hasGap(structuredContent) ? rest : result)
  return text === undefined || hasGap(text) ? expected : { ...expected, text }
}

const codeOf = (error: unknown): number | true =>
  isObject(error) && typeof error.code === 'number' ? error.code : true

const hasGap = (value: unknown): boolean => value !== undefined && JSON.stringify(value).includes(redactionMarker)

/** `password: "[redacted]"` becomes `${env.PASSWORD}`. */
function fromEnvironment(text: string, name: string): string {
  const variable = name.replace(/([a-z\d])([A-Z])/g, '$1_$2').replace(/[^A-Za-z\d]+/g, '_')
  return literal(text).replaceAll(redactionMarker, () => `\${env.${variable.toUpperCase()}}`)
}

function mapTexts(value: unknown, map: (text: string, name: string) => string, name = 'secret'): unknown {
  if (typeof value === 'string') return map(value, name)
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, map, name))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([member, inner]) => [member, mapTexts(inner, map, member)]))
}
