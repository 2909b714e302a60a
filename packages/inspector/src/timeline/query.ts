import type { Entry } from './entry.ts'
import { choicesOf, queryKeys } from './query-keys.ts'

/** A parsed query: its test, and the parts that make no sense. */
export interface Query {
  matches(entry: Entry): boolean
  problems: string[]
}

/** Lookups that a query needs besides the entries. */
export interface QueryContext {
  /** The name of a server, as people know it. */
  nameOf(server: string): string
  /** The entry with an id, if it is kept. */
  entry(id: number): Entry | undefined
}

type Test = (entry: Entry) => boolean
type MakeTest = (value: string, context: QueryContext) => Test | string

const contains = (text: string | undefined, part: string): boolean =>
  text?.toLowerCase().includes(part.toLowerCase()) ?? false

/** `tools/*` matches all methods below, `tools/call` exactly that one, `list` all that contain it. */
function methodTest(value: string): Test {
  const wanted = value.toLowerCase()
  if (wanted.endsWith('*')) return ({ method }) => method.toLowerCase().startsWith(wanted.slice(0, -1))
  if (wanted.includes('/')) return ({ method }) => method.toLowerCase() === wanted
  return ({ method }) => contains(method, wanted)
}

const units: ReadonlyMap<string, number> = new Map([
  ['', 1],
  ['ms', 1],
  ['s', 1_000],
  ['kb', 1_024],
  ['mb', 1_024 * 1_024],
])

/** `>100`, `<2s`, `>=10kb`, `42`. */
function numberTest(read: (entry: Entry) => number | undefined): MakeTest {
  return (value) => {
    const [, sign = '=', digits, unit = ''] = /^(>=|<=|>|<|=)?(-?\d+(?:\.\d+)?)([a-z]*)$/i.exec(value) ?? []
    const factor = units.get(unit.toLowerCase())
    if (digits === undefined || factor === undefined) return `expected a number such as >100 or <2s, got ${value}`
    const limit = Number(digits) * factor
    const compare: { [sign: string]: (found: number) => boolean } = {
      '>': (found) => found > limit,
      '<': (found) => found < limit,
      '>=': (found) => found >= limit,
      '<=': (found) => found <= limit,
      '=': (found) => found === limit,
    }
    return (entry) => {
      const found = read(entry)
      return found !== undefined && compare[sign]!(found)
    }
  }
}

function oneOfTest(key: 'status' | 'kind' | 'from'): MakeTest {
  const choices = choicesOf(key)
  return (value) => {
    if (!choices.includes(value)) return `expected one of ${choices.join(', ')}, got ${value}`
    return (entry) => entry[key] === value
  }
}

const maxHops = 20

/** `of:12` is the request in row 12, its answer, and everything that belongs to it. */
function belongingTest(value: string, { entry: find }: QueryContext): Test | string {
  if (!/^\d+$/.test(value)) return `expected the number of a row, got ${value}`
  const row = Number(value)
  return (entry) => {
    let at: Entry | undefined = entry
    for (let hops = 0; at !== undefined && hops < maxHops; hops++) {
      if (at.id === row) return true
      const isAnswer: boolean = at.kind === 'result' || at.kind === 'error' || at.kind === 'refused'
      const above: number | undefined = at.parent ?? (isAnswer ? at.pair : undefined)
      at = above === undefined ? undefined : find(above)
    }
    return false
  }
}

const codeIn = ({ kind, text }: Entry): number | undefined => {
  if (kind !== 'error') return undefined
  const digits = /"code":\s*(-?\d+)/.exec(text)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

/** The tests of the keys. A new one is a line here, and one in the list of keys. */
const keys: ReadonlyMap<string, MakeTest> = new Map<string, MakeTest>([
  [
    'server',
    (value, { nameOf }) =>
      ({ server }) =>
        contains(nameOf(server), value),
  ],
  ['method', methodTest],
  [
    'name',
    (value) =>
      ({ name }) =>
        contains(name, value),
  ],
  [
    'id',
    (value) =>
      ({ rpcId }) =>
        rpcId !== undefined && String(rpcId) === value,
  ],
  ['status', oneOfTest('status')],
  ['kind', oneOfTest('kind')],
  [
    'trace',
    (value) =>
      ({ trace }) =>
        trace?.startsWith(value.toLowerCase()) ?? false,
  ],
  ['of', belongingTest],
  ['from', oneOfTest('from')],
  ['duration', numberTest(({ durationMs }) => durationMs)],
  ['size', numberTest(({ text }) => text.length)],
  ['code', numberTest(codeIn)],
])

const terms = /(-)?(?:([a-z]+):)?(?:"([^"]*)"?|([^\s"]+)|(?<=:)(?=\s|$))/gi

/** Reads `server:x method:tools/call status:error,lost -kind:notification "some text"`: every term has to match. */
export function parseQuery(text: string, context: QueryContext): Query {
  const problems: string[] = []
  const tests: Test[] = []
  for (const [, minus, key, quoted, plain = ''] of text.matchAll(terms)) {
    const value = quoted ?? plain
    const test = makeTest(key?.toLowerCase(), value, context)
    if (typeof test === 'string') problems.push(test)
    else tests.push(minus === undefined ? test : (entry) => !test(entry))
  }
  return { matches: (entry) => tests.every((test) => test(entry)), problems }
}

function makeTest(key: string | undefined, value: string, context: QueryContext): Test | string {
  if (key === undefined) return textTest(value)
  const make = keys.get(key)
  if (make === undefined) return isUri(value) ? textTest(`${key}:${value}`) : unknownKey(key)
  if (value === '') return `${key}: ${expectedOf(key)}`
  const tests = value.split(',').map((part) => make(part, context))
  const problem = tests.find((test) => typeof test === 'string')
  if (problem !== undefined) return `${key}: ${problem}`
  return (entry) => (tests as Test[]).some((test) => test(entry))
}

/** `note:///motto` is a text to look for. */
const isUri = (value: string): boolean => value.startsWith('/')

const unknownKey = (key: string): string =>
  `${key}: is no key; expected one of ${queryKeys.map((known) => known.key).join(', ')}. Put a text with a colon into quotes`

const expectedOf = (key: string): string => {
  const { about = '', choices } = queryKeys.find((known) => known.key === key) ?? {}
  return choices === undefined ? `expected a value: ${about}` : `expected one of ${choices.join(', ')}`
}

function textTest(wanted: string): Test {
  const pattern = new RegExp(wanted.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'i')
  return ({ text, method }) => pattern.test(text) || pattern.test(method)
}
