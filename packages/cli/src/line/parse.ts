import { usage } from '../exit.ts'
import { didYouMean } from './did-you-mean.ts'
import type { OptionSpec, OptionTable } from './options.ts'
import { parseSize } from './size.ts'
import { parseTime } from './time.ts'

/** A command line, read. */
export interface ParsedLine {
  options: Map<string, boolean | string | string[] | number>
  words: string[]
  /** Everything after `--`, which is the command of a server. */
  command: string[] | undefined
}

/**
 * Reads a command line. Options may stand anywhere before `--`, and the words after `--` stay as they are: one rule for
 * all commands.
 */
export function parseLine(argv: readonly string[], table: OptionTable): ParsedLine {
  const end = argv.indexOf('--')
  const own = end < 0 ? argv : argv.slice(0, end)
  const line: ParsedLine = { options: new Map(), words: [], command: end < 0 ? undefined : argv.slice(end + 1) }
  if (line.command?.length === 0) throw usage('Expected a command after --', 'For example: -- node server.js')
  for (let index = 0; index < own.length; index++) {
    const word = own[index]!
    // A lone dash is standard input, and a number is a value.
    if (!word.startsWith('-') || word === '-' || /^-\d/.test(word)) line.words.push(word)
    else index += readOption(word, own[index + 1], table, line)
  }
  return line
}

/** Reads a command line whose words after the first one belong to another program. */
export function parseLineToWord(argv: readonly string[], table: OptionTable): ParsedLine {
  const first = argv.findIndex((word) => !word.startsWith('-'))
  if (first < 0) return parseLine(argv, table)
  return { ...parseLine(argv.slice(0, first), table), words: [argv[first]!], command: argv.slice(first + 1) }
}

/** Reads one option; answers how many of the words after it belong to it. */
function readOption(word: string, following: string | undefined, table: OptionTable, line: ParsedLine): number {
  const { name, given } = nameOf(word, table)
  const spec = table[name]!
  if (spec.type === 'flag') {
    if (given !== undefined) throw usage(`--${name} takes no value, got ${JSON.stringify(given)}`)
    line.options.set(name, true)
    return 0
  }
  const alone = spec.type === 'text' ? spec.alone : undefined
  const text = given ?? alone ?? following
  if (text === undefined) throw usage(`--${name}: expected ${wantedBy(spec)}, got nothing`)
  line.options.set(name, readValue(name, spec, text, line.options.get(name)))
  return given === undefined && alone === undefined ? 1 : 0
}

function nameOf(word: string, table: OptionTable): { name: string; given?: string } {
  if (!word.startsWith('--')) return shortName(word, table)
  const equals = word.indexOf('=')
  const name = equals < 0 ? word.slice(2) : word.slice(2, equals)
  if (!Object.hasOwn(table, name)) throw unknownOption(`--${name}`, table)
  return equals < 0 ? { name } : { name, given: word.slice(equals + 1) }
}

function shortName(word: string, table: OptionTable): { name: string; given?: string } {
  const found = Object.entries(table).find(([, { short }]) => short !== undefined && short === word[1])
  if (found === undefined) throw unknownOption(word, table)
  const rest = word.slice(2)
  return rest === '' ? { name: found[0] } : { name: found[0], given: rest.replace(/^=/, '') }
}

const unknownOption = (word: string, table: OptionTable): Error =>
  usage(
    `Unknown option ${word}`,
    didYouMean(
      word,
      Object.keys(table).map((name) => `--${name}`),
    ) ?? `${optionsIn(table)}; what belongs to the server goes after --.`,
  )

/** A few can be named. */
function optionsIn(table: OptionTable): string {
  const names = Object.keys(table).map((name) => `--${name}`)
  return names.length > 10 ? 'See --help' : `There are ${names.join(', ')}`
}

function readValue(name: string, spec: OptionSpec, text: string, before: unknown): string | string[] | number {
  switch (spec.type) {
    case 'list':
      return [...((before as string[] | undefined) ?? []), text]
    case 'time':
      return parseTime(name, text)
    case 'size':
      return parseSize(name, text)
    case 'number':
      return numberOf(name, spec, text)
    case 'choice':
      if (spec.choices.includes(text)) return text
      throw usage(`--${name}: expected ${wantedBy(spec)}, got ${JSON.stringify(text)}`, didYouMean(text, spec.choices))
    default:
      return text
  }
}

function numberOf(
  name: string,
  { min = -Infinity, max = Infinity }: { min?: number; max?: number },
  text: string,
): number {
  const value = text.trim() === '' ? Number.NaN : Number(text)
  if (value >= min && value <= max) return value
  const bounds = `${min > -Infinity ? ` of at least ${min}` : ''}${max < Infinity ? ` and at most ${max}` : ''}`
  throw usage(`--${name}: expected a number${bounds}, got ${JSON.stringify(text)}`)
}

function wantedBy(spec: OptionSpec): string {
  if (spec.type === 'choice') return `one of ${spec.choices.join(', ')}`
  if (spec.type === 'time') return 'a time such as 30s'
  if (spec.type === 'size') return 'a number of bytes such as 64M'
  return spec.type === 'flag' ? 'nothing' : `<${spec.value}>`
}
