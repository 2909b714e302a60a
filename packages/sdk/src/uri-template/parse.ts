import { McpError } from '../errors.ts'
import { isNameCharacter, isSurrogate, readEncoded } from './characters.ts'
import type { Expression, Operator, TemplatePart, VariableSpec } from './types.ts'

export const MAX_TEMPLATE_LENGTH = 4096
export const MAX_TEMPLATE_VARIABLES = 64
const MAX_PREFIX_DIGITS = 4

const operator = (first: string, separator: string, rest?: Partial<Operator>): Operator => ({
  first,
  separator,
  named: false,
  ifEmpty: '',
  reserved: false,
  ...rest,
})

const simple = operator('', ',')
const operators: ReadonlyMap<string, Operator> = new Map([
  ['+', operator('', ',', { reserved: true })],
  ['#', operator('#', ',', { reserved: true })],
  ['.', operator('.', '.')],
  ['/', operator('/', '/')],
  [';', operator(';', ';', { named: true })],
  ['?', operator('?', '&', { named: true, ifEmpty: '=' })],
  ['&', operator('&', '&', { named: true, ifEmpty: '=' })],
])

const RESERVED_OPERATORS = '=,!@|'
// The apostrophe is missing on purpose: the RFC's grammar leaves it out of literals by mistake (erratum 6937).
const NOT_IN_LITERALS = new Set(' "<>\\^`|}')

/** Reads from left to right; every error names the position and the expected character. */
interface Cursor {
  readonly text: string
  at: number
  variableCount: number
}

const describe = (text: string, at: number): string =>
  at < text.length ? JSON.stringify(String.fromCodePoint(text.codePointAt(at)!)) : 'the end'

function refuse(cursor: Cursor, expected: string, at: number = cursor.at): never {
  const { text } = cursor
  const message = `URI template ${JSON.stringify(text)}: expected ${expected} at position ${at}, found ${describe(text, at)}`
  throw new McpError('invalid_definition', message)
}

function refuseLimit(what: string, limit: number, found: string): never {
  throw new McpError('invalid_definition', `URI template: expected at most ${limit} ${what}, found ${found}`)
}

/** Splits a template into literals and expressions. */
export function parseParts(template: string): TemplatePart[] {
  if (template.length > MAX_TEMPLATE_LENGTH) refuseLimit('characters', MAX_TEMPLATE_LENGTH, `${template.length}`)
  const cursor: Cursor = { text: template, at: 0, variableCount: 0 }
  const parts: TemplatePart[] = []
  while (cursor.at < template.length) {
    parts.push(template[cursor.at] === '{' ? readExpression(cursor) : readLiteral(cursor))
  }
  return parts
}

function readLiteral(cursor: Cursor): string {
  const start = cursor.at
  while (cursor.at < cursor.text.length && cursor.text[cursor.at] !== '{') readLiteralCharacter(cursor)
  return cursor.text.slice(start, cursor.at)
}

function readLiteralCharacter(cursor: Cursor): void {
  const { text, at } = cursor
  if (text[at] === '%') {
    readTriplets(cursor)
    return
  }
  const codePoint = text.codePointAt(at)!
  const isControl = codePoint < 0x20 || (codePoint >= 0x7f && codePoint < 0xa0)
  if (isControl || isSurrogate(codePoint) || NOT_IN_LITERALS.has(text[at]!)) {
    refuse(cursor, 'a character that may stand in a URI')
  }
  cursor.at += codePoint > 0xffff ? 2 : 1
}

function readTriplets(cursor: Cursor): void {
  const read = readEncoded(cursor.text, cursor.at) ?? refuse(cursor, 'percent-encoded UTF-8')
  cursor.at = read.end
}

function readExpression(cursor: Cursor): Expression {
  const { text } = cursor
  cursor.at++
  const symbol = text[cursor.at] ?? ''
  if (symbol !== '' && RESERVED_OPERATORS.includes(symbol)) {
    refuse(cursor, 'a variable name or one of the operators + # . / ; ? &')
  }
  const found = operators.get(symbol)
  if (found) cursor.at++
  const variables = [readVariable(cursor)]
  while (text[cursor.at] === ',') {
    cursor.at++
    variables.push(readVariable(cursor))
  }
  if (text[cursor.at] !== '}') refuse(cursor, "',' or '}'")
  cursor.at++
  return { operator: found ?? simple, variables }
}

function readVariable(cursor: Cursor): VariableSpec {
  if (++cursor.variableCount > MAX_TEMPLATE_VARIABLES) {
    refuseLimit('variables', MAX_TEMPLATE_VARIABLES, `another one at position ${cursor.at}`)
  }
  const name = readName(cursor)
  const modifier = cursor.text[cursor.at]
  if (modifier === '*') {
    cursor.at++
    return { name, explode: true, maxLength: Number.POSITIVE_INFINITY }
  }
  return { name, explode: false, maxLength: modifier === ':' ? readPrefix(cursor) : Number.POSITIVE_INFINITY }
}

function readName(cursor: Cursor): string {
  const start = cursor.at
  do {
    if (cursor.at > start) cursor.at++
    readNamePiece(cursor)
  } while (cursor.text[cursor.at] === '.')
  return cursor.text.slice(start, cursor.at)
}

/** One stretch of a name between dots. */
function readNamePiece(cursor: Cursor): void {
  const { text } = cursor
  const start = cursor.at
  for (;;) {
    if (text[cursor.at] === '%') readTriplets(cursor)
    else if (cursor.at < text.length && isNameCharacter(text[cursor.at]!)) cursor.at++
    else break
  }
  if (cursor.at === start) refuse(cursor, "a letter, a digit or '_' of a variable name")
}

function readPrefix(cursor: Cursor): number {
  const start = ++cursor.at
  while (isDigitAt(cursor.text, cursor.at)) cursor.at++
  const digits = cursor.text.slice(start, cursor.at)
  if (digits === '' || digits.startsWith('0') || digits.length > MAX_PREFIX_DIGITS) {
    refuse(cursor, 'a prefix length from 1 to 9999', start)
  }
  return Number(digits)
}

function isDigitAt(text: string, at: number): boolean {
  const character = text[at]
  return character !== undefined && character >= '0' && character <= '9'
}
