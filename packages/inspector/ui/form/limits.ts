import type { Schema } from './resolve.ts'
import type { Described } from './shape.ts'

const formats: ReadonlyMap<unknown, string> = new Map([
  ['email', 'an e-mail address'],
  ['uri', 'a URI'],
  ['date', 'a date, as 2026-12-31'],
  ['date-time', 'a date with a time, as 2026-12-31T12:00:00Z'],
  ['time', 'a time, as 12:00:00Z'],
  ['hostname', 'a host name'],
  ['ipv4', 'an IPv4 address'],
  ['ipv6', 'an IPv6 address'],
  ['uuid', 'a UUID'],
])

/** The limits of a value in words, for a person who fills it in; empty if it has none. */
export function limitsOf({ schema, shape }: Described): string {
  const words = (): (string | undefined)[] => {
    switch (shape.kind) {
      case 'text':
        return [formatOf(schema), countOf(schema, 'Length', 'character'), patternOf(schema)]
      case 'number':
        return [shape.integer ? 'a whole number' : undefined, rangeOf(schema), stepOf(schema)]
      case 'list':
      case 'choices':
        return [countOf(schema, 'Items', 'item'), schema.uniqueItems === true ? 'no two alike' : undefined]
      case 'object':
        return [countOf(schema, 'Properties', 'member')]
      default:
        return []
    }
  }
  return words()
    .filter((word) => word !== undefined)
    .join(', ')
}

function formatOf({ format }: Schema): string | undefined {
  if (typeof format !== 'string') return undefined
  return formats.get(format) ?? `of format ${format}`
}

const patternOf = ({ pattern }: Schema): string | undefined =>
  typeof pattern === 'string' ? `matching ${pattern}` : undefined

const stepOf = ({ multipleOf }: Schema): string | undefined =>
  typeof multipleOf === 'number' ? `a multiple of ${multipleOf}` : undefined

function countOf(schema: Schema, what: string, unit: string): string | undefined {
  const range = between(numberIn(schema, `min${what}`) || undefined, numberIn(schema, `max${what}`))
  return range && `${range} ${range.endsWith(' 1') ? unit : `${unit}s`}`
}

function rangeOf(schema: Schema): string | undefined {
  const [above, below] = [numberIn(schema, 'exclusiveMinimum'), numberIn(schema, 'exclusiveMaximum')]
  const words = [
    between(numberIn(schema, 'minimum'), numberIn(schema, 'maximum')),
    above === undefined ? undefined : `more than ${readable(above)}`,
    below === undefined ? undefined : `less than ${readable(below)}`,
  ].filter((word) => word !== undefined)
  return words.length === 0 ? undefined : words.join(', ')
}

function between(least: number | undefined, most: number | undefined): string | undefined {
  if (least !== undefined && most !== undefined)
    return least === most ? `exactly ${readable(least)}` : `${readable(least)} to ${readable(most)}`
  if (least !== undefined) return `at least ${readable(least)}`
  return most === undefined ? undefined : `at most ${readable(most)}`
}

const numberIn = (schema: Schema, keyword: string): number | undefined =>
  typeof schema[keyword] === 'number' ? schema[keyword] : undefined

/** All digits of a limit, in groups: rounding would change it. */
const readable = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 20 })
