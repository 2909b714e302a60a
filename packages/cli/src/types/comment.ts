import { visible } from '@tenon/sdk/display'

/** Lines of documentation as a comment; empty if there are none. */
export function comment(lines: readonly string[], indent = ''): string {
  const safe = lines.flatMap((line) => line.split(/\r\n|[\n\r\u2028\u2029]/)).map((line) => line.trimEnd())
  while (safe.at(-1) === '') safe.pop()
  while (safe[0] === '') safe.shift()
  if (safe.length === 0) return ''
  if (safe.length === 1) return `${indent}/** ${safe[0]} */\n`
  return `${indent}/**\n${safe.map((line) => `${indent} *${line === '' ? '' : ` ${line}`}\n`).join('')}${indent} */\n`
}

/**
 * Text of a server as lines of a comment: it cannot end the comment, and its tags have no effect on the compiler
 * (`@ts-ignore`) or an editor (`@deprecated`).
 */
export const words = (text: unknown): string[] =>
  typeof text === 'string' && text.trim() !== '' ? [inComment(text.trim().slice(0, longest))] : []

const longest = 4_000

const inComment = (text: string): string =>
  visible(text)
    .replaceAll('*/', '*\\/')
    .replace(/(?<!\w)@/g, '\\@')

/** The constraints of a schema besides the type. */
export function remarks(schema: { [keyword: string]: unknown }): string[] {
  const lines = [...words(schema.title), ...words(schema.description)]
  for (const keyword of constraints) {
    const value = schema[keyword]
    if (value === undefined || isNoise(keyword, value, schema)) continue
    lines.push(`@${keyword} ${inComment(shortJson(keyword, value))}`)
  }
  if (schema.deprecated === true) lines.push('@deprecated')
  return lines[0] === lines[1] ? lines.slice(1) : lines
}

const constraints = [
  'format',
  'pattern',
  'minimum',
  'exclusiveMinimum',
  'maximum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'default',
] as const

// Generators write the bounds of safe integers for every integer, and the pattern of a format that has a name.
const isNoise = (keyword: string, value: unknown, { format }: { format?: unknown }): boolean =>
  keyword === 'pattern'
    ? format !== undefined
    : typeof value === 'number' && Math.abs(value) === Number.MAX_SAFE_INTEGER

function shortJson(keyword: string, value: unknown): string {
  const text = typeof value === 'string' && keyword !== 'default' ? value : JSON.stringify(value)
  const line = text.replace(/[\n\r\u2028\u2029]+/g, ' ')
  return line.length > 100 ? `${line.slice(0, 99)}…` : line
}
