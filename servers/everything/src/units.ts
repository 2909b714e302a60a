interface Unit {
  /** How many base units one of it is. */
  factor: number
  /** Its zero, in base units. */
  zero?: number
}

const quantities: ReadonlyMap<string, ReadonlyMap<string, Unit>> = new Map([
  [
    'length',
    new Map<string, Unit>([
      ['m', { factor: 1 }],
      ['cm', { factor: 0.01 }],
      ['km', { factor: 1000 }],
      ['in', { factor: 0.0254 }],
      ['ft', { factor: 0.3048 }],
      ['mi', { factor: 1609.344 }],
    ]),
  ],
  [
    'mass',
    new Map<string, Unit>([
      ['kg', { factor: 1 }],
      ['g', { factor: 0.001 }],
      ['lb', { factor: 0.45359237 }],
      ['oz', { factor: 0.028349523125 }],
    ]),
  ],
  [
    'temperature',
    new Map<string, Unit>([
      ['K', { factor: 1 }],
      ['C', { factor: 1, zero: 273.15 }],
      ['F', { factor: 5 / 9, zero: 459.67 * (5 / 9) }],
    ]),
  ],
])

/** The quantities and their units. */
export const quantityNames = ['length', 'mass', 'temperature'] as const

/** The units of a quantity, or all of them. */
export const unitsOf = (quantity?: string): string[] =>
  quantity === undefined
    ? [...quantities.values()].flatMap((units) => [...units.keys()])
    : [...(quantities.get(quantity)?.keys() ?? [])]

/** The quantity that a unit measures. */
export const quantityOf = (unit: string): string | undefined =>
  [...quantities].find(([, units]) => units.has(unit))?.[0]

/** The value in the other unit; undefined if the two do not measure the same. */
export function convert(value: number, from: string, to: string): number | undefined {
  const units = quantities.get(quantityOf(from) ?? '')
  const source = units?.get(from)
  const target = units?.get(to)
  if (source === undefined || target === undefined) return undefined
  const base = value * source.factor + (source.zero ?? 0)
  // Ten decimals: enough for any use, and few enough to hide the noise of binary fractions.
  return Number(((base - (target.zero ?? 0)) / target.factor).toFixed(10))
}

/** Units that fit a known quantity, or another unit. */
export function unitsLike(typed: string, known: { quantity?: string; from?: string }): string[] {
  const quantity = known.quantity ?? (known.from === undefined ? undefined : quantityOf(known.from))
  return unitsOf(quantity).filter((unit) => unit !== known.from && unit.toLowerCase().startsWith(typed.toLowerCase()))
}
