/** A string literal: text of a server can neither end it nor hide in it. */
export const quoted = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll("'", "\\'").replaceAll('\\"', '"').replace(invisible, escaped)}'`

// Control characters, and those that turn the direction of text or cannot be seen.
const invisible = /[\p{Cc}\p{Cf}\u2028\u2029]/gu

const escaped = (character: string): string => `\\u{${character.codePointAt(0)!.toString(16)}}`

/** The name of a property, quoted where it has to be. */
export const propertyName = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name))

/** The type that has this value only. */
export function literalType(value: unknown, depth = 0): string {
  switch (typeof value) {
    case 'string':
      return quoted(value)
    case 'number':
      // JSON can write numbers that are too large to be one.
      return Number.isFinite(value) ? JSON.stringify(value) : 'number'
    case 'boolean':
      return String(value)
    case 'object':
      return value === null ? 'null' : depth > deepest ? 'unknown' : compound(value, depth + 1)
    default:
      return 'unknown'
  }
}

const deepest = 8

function compound(value: object, depth: number): string {
  if (Array.isArray(value)) return `[${value.map((item) => literalType(item, depth)).join(', ')}]`
  const members = Object.entries(value).map(([name, member]) => `${propertyName(name)}: ${literalType(member, depth)}`)
  return members.length === 0 ? '{ [key: string]: never }' : `{ ${members.join('; ')} }`
}
