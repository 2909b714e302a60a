import { pick, type Random } from './random.ts'

const words = ['amber', 'birch', 'cedar', 'delta', 'ember', 'fjord', 'grove', 'harbor', 'island', 'juniper'] as const

const digits = (count: number, random: Random, alphabet = '0123456789'): string =>
  Array.from({ length: count }, () => pick([...alphabet], random)).join('')

const between = (low: number, high: number, random: Random): string =>
  String(low + Math.floor(random() * (high - low + 1))).padStart(2, '0')

const date = (random: Random): string =>
  `20${between(20, 29, random)}-${between(1, 12, random)}-${between(1, 28, random)}`
const time = (random: Random): string =>
  `${between(0, 23, random)}:${between(0, 59, random)}:${between(0, 59, random)}Z`
const hex = '0123456789abcdef'

const formats: ReadonlyMap<string, (random: Random) => string> = new Map<string, (random: Random) => string>([
  ['date', date],
  ['time', time],
  ['date-time', (random) => `${date(random)}T${time(random)}`],
  ['duration', (random) => `PT${between(1, 59, random)}M`],
  ['email', (random) => `${pick(words, random)}@example.com`],
  ['hostname', (random) => `${pick(words, random)}.example.com`],
  ['ipv4', (random) => `192.0.2.${between(1, 254, random).replace(/^0/, '')}`],
  ['ipv6', (random) => `2001:db8::${digits(4, random, hex)}`],
  ['uri', (random) => `https://example.com/${pick(words, random)}`],
  ['uri-reference', (random) => `/${pick(words, random)}`],
  [
    'uuid',
    (random) => {
      const part = (count: number): string => digits(count, random, hex)
      return `${part(8)}-${part(4)}-4${part(3)}-${pick([...'89ab'], random)}${part(3)}-${part(12)}`
    },
  ],
])

interface StringRules {
  format?: unknown
  minLength?: unknown
  maxLength?: unknown
}

/** No more characters than anybody reads. */
const longest = 10_000

/** A text that fits a schema of strings, but for its pattern. */
export function sampleString({ format, minLength, maxLength }: StringRules, random: Random): string {
  const made = typeof format === 'string' ? formats.get(format)?.(random) : undefined
  if (made !== undefined) return made
  const least = typeof minLength === 'number' ? Math.min(minLength, longest) : 0
  let text: string = pick(words, random)
  while (text.length < least) text += ` ${pick(words, random)}`
  return typeof maxLength === 'number' && text.length > maxLength ? text.slice(0, Math.max(maxLength, 0)) : text
}
