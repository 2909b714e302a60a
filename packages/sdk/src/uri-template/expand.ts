import { McpError } from '../errors.ts'
import { isReserved, isSurrogate, isTriplet, isUnreserved, readEncoded } from './characters.ts'
import type { Expression, Operator, TemplatePart, TemplateValue, TemplateValues, VariableSpec } from './types.ts'

/** Writes the template with the given values, as RFC 6570 section 3 says. */
export function expandParts(parts: readonly TemplatePart[], values: TemplateValues): string {
  let uri = ''
  for (const part of parts) uri += typeof part === 'string' ? encode(part, true) : expandExpression(part, values)
  return uri
}

function expandExpression({ operator, variables }: Expression, values: TemplateValues): string {
  const written = variables.flatMap((spec) => expandVariable(operator, spec, lookUp(values, spec.name)))
  return written.length === 0 ? '' : operator.first + written.join(operator.separator)
}

function lookUp(values: TemplateValues, name: string): TemplateValue {
  if (values instanceof Map) return values.get(name)
  return Object.hasOwn(values, name) ? (values as { [name: string]: TemplateValue })[name] : undefined
}

/** The pieces that one variable adds to its expression: none if it is undefined, several if it explodes. */
function expandVariable(operator: Operator, spec: VariableSpec, value: TemplateValue): string[] {
  if (value === undefined || value === null) return []
  if (typeof value !== 'object')
    return [named(operator, spec.name, encode(toText(spec, value), operator.reserved, spec.maxLength))]
  if (spec.maxLength !== Number.POSITIVE_INFINITY) {
    throw invalidValue(spec, 'a string, because the template takes a prefix of it')
  }
  if (Array.isArray(value)) return expandList(operator, spec, value)
  return expandPairs(operator, spec, value instanceof Map ? [...value] : Object.entries(value))
}

function expandList(operator: Operator, spec: VariableSpec, list: readonly unknown[]): string[] {
  const members = list.filter(isDefined).map((member) => encode(toText(spec, member), operator.reserved))
  if (spec.explode) return members.map((member) => named(operator, spec.name, member))
  return joined(operator, spec, members)
}

function expandPairs(operator: Operator, spec: VariableSpec, entries: readonly [unknown, unknown][]): string[] {
  const pairs = entries
    .filter(([, member]) => isDefined(member))
    .map((pair) => pair.map((member) => encode(toText(spec, member), operator.reserved)) as [string, string])
  if (!spec.explode) return joined(operator, spec, pairs.flat())
  return pairs.map(([key, member]) => (operator.named ? named(operator, key, member) : `${key}=${member}`))
}

const isDefined = (member: unknown): boolean => member !== undefined && member !== null

const joined = (operator: Operator, spec: VariableSpec, members: readonly string[]): string[] => {
  if (members.length === 0) return []
  return [operator.named ? `${spec.name}=${members.join(',')}` : members.join(',')]
}

function named(operator: Operator, name: string, value: string): string {
  if (!operator.named) return value
  return value === '' ? name + operator.ifEmpty : `${name}=${value}`
}

function toText(spec: VariableSpec, value: unknown): string {
  if (typeof value === 'string') {
    for (const character of value) {
      if (isSurrogate(character.codePointAt(0)!)) throw invalidValue(spec, 'text without lone surrogates')
    }
    return value
  }
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw invalidValue(spec, 'strings, numbers or booleans')
}

const invalidValue = (spec: VariableSpec, expected: string): McpError =>
  new McpError('invalid_argument', `URI template variable ${JSON.stringify(spec.name)}: expected ${expected}`)

/** Percent-encodes up to `limit` characters; or keeps reserved and encoded ones, each counted as one. */
function encode(text: string, keepReserved: boolean, limit: number = Number.POSITIVE_INFINITY): string {
  let encoded = ''
  let count = 0
  for (let at = 0; at < text.length && count < limit; count++) {
    const end = endOfCharacter(text, at, keepReserved)
    const character = text.slice(at, end)
    encoded += isAllowed(character, keepReserved) ? character : percentEncode(character)
    at = end
  }
  return encoded
}

function endOfCharacter(text: string, at: number, keepTriplets: boolean): number {
  if (keepTriplets && isTriplet(text, at)) return readEncoded(text, at)?.end ?? at + 3
  return at + (text.codePointAt(at)! > 0xffff ? 2 : 1)
}

const isAllowed = (character: string, keepReserved: boolean): boolean =>
  character.length === 1
    ? isUnreserved(character) || (keepReserved && isReserved(character))
    : keepReserved && character.startsWith('%')

// encodeURIComponent leaves these alone, and RFC 6570 does not.
const percentEncode = (character: string): string =>
  "!'()*".includes(character) ? `%${character.charCodeAt(0).toString(16).toUpperCase()}` : encodeURIComponent(character)
