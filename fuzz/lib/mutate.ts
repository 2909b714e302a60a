import fc from 'fast-check'

/** Values that have caused bugs before. */
const oddities: unknown[] = [
  null,
  true,
  false,
  0,
  -0,
  -1,
  1.5,
  1e308,
  2 ** 53,
  '',
  '2.0',
  '__proto__',
  'constructor',
  '\u0000',
  '\ud800',
  '🌍',
  'x'.repeat(300),
  [],
  [[]],
  {},
  { __proto__: null },
  JSON.parse('{"__proto__":{"polluted":true}}'),
]
const oddity = fc.oneof(fc.constantFrom(...oddities), fc.jsonValue({ maxDepth: 2 }))
const memberName = fc.constantFrom(
  'id',
  'method',
  'params',
  'result',
  'error',
  '_meta',
  'type',
  '__proto__',
  'toString',
)

type Step =
  | { kind: 'replace'; at: number; value: unknown }
  | { kind: 'insert'; at: number; value: unknown }
  | { kind: 'remove'; at: number }
  | { kind: 'copy'; at: number }
  | { kind: 'add'; at: number; name: string; value: unknown }

const at = fc.nat(200)
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('replace' as const), at, value: oddity }),
  fc.record({ kind: fc.constant('insert' as const), at, value: oddity }),
  fc.record({ kind: fc.constant('remove' as const), at }),
  fc.record({ kind: fc.constant('copy' as const), at }),
  fc.record({ kind: fc.constant('add' as const), at, name: memberName, value: oddity }),
)

/** A JSON value with some of its parts replaced, removed, added or moved. Shrinks towards the value as it was. */
export const mutatedValue = (seeds: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc
    .tuple(seeds, fc.array(step, { maxLength: 4 }))
    .map(([seed, steps]) => steps.reduce(apply, JSON.parse(JSON.stringify(seed ?? null)) as unknown))

interface Place {
  holder: Record<string, unknown> | unknown[]
  key: string
}

/** Every place in a value, from the top down. */
function placesIn(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return []
  const holder = value as Place['holder']
  return Object.keys(holder).flatMap((key) => [{ holder, key }, ...placesIn(memberOf({ holder, key }))])
}

const memberOf = ({ holder, key }: Place): unknown => (holder as Record<string, unknown>)[key]

/** Own members only: a member named `__proto__` must be one. */
function put({ holder, key }: Place, value: unknown): void {
  Object.defineProperty(holder, key, { value, writable: true, enumerable: true, configurable: true })
}

function apply(root: unknown, change: Step): unknown {
  const places = placesIn(root)
  if (places.length === 0) return 'value' in change ? copy(change.value) : root
  const place = places[change.at % places.length]!
  // Copies: a value that is put in twice must not become a cycle when it is changed later.
  const value = 'value' in change ? copy(change.value) : undefined
  if (change.kind === 'replace') put(place, value)
  else if (change.kind === 'remove') delete (place.holder as Record<string, unknown>)[place.key]
  else if (change.kind === 'copy') put(places[(change.at * 7 + 3) % places.length]!, copy(memberOf(place)))
  else if (change.kind === 'insert') put(place, [memberOf(place), value])
  else put({ holder: place.holder, key: change.name }, value)
  return root
}

const copy = (value: unknown): unknown => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)))

const noise = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.constantFrom(
    '\n',
    '\r\n',
    '"',
    '\\',
    '{',
    '}',
    '[',
    ']',
    ':',
    ',',
    '\u0000',
    '\ufeff',
    '\u2028',
    '\ud800',
    'null',
  ),
  fc.constantFrom('data: ', 'id: ', 'event: ', 'retry: 1', '{"jsonrpc":"2.0"', '[[[[[[[[', '1e999'),
)
const cut = fc.record({ from: fc.nat(4_000), length: fc.nat(20), text: noise })

/** A text with some pieces cut out and noise put in. Shrinks towards the text as it was. */
export const mutatedText = (seeds: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(seeds, fc.array(cut, { maxLength: 5 })).map(([seed, cuts]) =>
    cuts.reduce((text, { from, length, text: put }) => {
      const start = from % (text.length + 1)
      return text.slice(0, start) + put + text.slice(start + length)
    }, seed),
  )

/** Places at which a text or a list of bytes may be cut. */
export const cuts: fc.Arbitrary<number[]> = fc.array(fc.nat(2_000), { maxLength: 30 })

/** The pieces between the cuts. */
export function cutAt(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const ends = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((one, other) => one - other)
  const starts = [0, ...ends]
  return starts.map((start, index) => bytes.subarray(start, ends[index] ?? bytes.length))
}
