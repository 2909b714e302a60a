const isString = (value: unknown): boolean => typeof value === 'string'
const isBoolean = (value: unknown): boolean => typeof value === 'boolean'
const isNumber = (value: unknown): boolean => typeof value === 'number'
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0
const isListOf = (check: (value: unknown) => boolean) => (value: unknown) => Array.isArray(value) && value.every(check)

const types: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'])
const isType = (value: unknown): boolean => types.has(value)

const isPattern = (value: unknown): boolean => {
  try {
    return typeof value === 'string' && new RegExp(value, 'u') !== undefined
  } catch {
    return false
  }
}

/** The values that keywords of JSON Schema may have. Keywords with schemas are not among them. */
const checks: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  ['type', (value: unknown) => isType(value) || (Array.isArray(value) && value.length > 0 && value.every(isType))],
  ['enum', (value: unknown) => Array.isArray(value) && value.length > 0],
  ['required', isListOf(isString)],
  ['examples', Array.isArray],
  ['pattern', isPattern],
  ...['$ref', 'title', 'description', 'format', 'contentEncoding', 'contentMediaType'].map(
    (name) => [name, isString] as const,
  ),
  ...['uniqueItems', 'deprecated', 'readOnly', 'writeOnly'].map((name) => [name, isBoolean] as const),
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'].map((name) => [name, isNumber] as const),
  ['multipleOf', (value: unknown) => typeof value === 'number' && value > 0],
  ...[
    'minLength',
    'maxLength',
    'minItems',
    'maxItems',
    'minProperties',
    'maxProperties',
    'minContains',
    'maxContains',
  ].map((name) => [name, isCount] as const),
])

/** Whether a keyword may have this value. One that may not makes a provider refuse the whole request. */
export const isValidKeyword = (keyword: string, value: unknown): boolean => checks.get(keyword)?.(value) ?? true
