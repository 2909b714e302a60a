import { McpError } from '../errors.ts'
import type { JsonSchema } from '../model/tools.ts'
import { dialectOf, dialects } from './dialect.ts'
import { copyJson } from './json-copy.ts'
import { pointTo } from './registry.ts'
import type { StandardJsonConverter, StandardProps } from './standard.ts'
import { isObject } from './value.ts'

/** The JSON Schema of a Standard Schema, as its library makes it. Types that cannot be converted are refused. */
export function convertStandard(standard: StandardProps, use: 'input' | 'output', what: string): JsonSchema {
  const convert = converterOf(standard, what)[use]
  try {
    const libraryOptions = markLost.get(standard.vendor)
    const json = convert({ target: 'draft-2020-12', libraryOptions })
    const lost = libraryOptions && findMark(json, '#')
    if (lost) throw new McpError('invalid_definition', `${what}: ${lost.reason} at ${lost.pointer}`)
    return withoutDefaultDialect(asSchema(copyJson(json, what), what))
  } catch (cause) {
    if (cause instanceof McpError) throw cause
    const place = whereIsIt(standard, convert)
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new McpError('invalid_definition', `${what}: ${reason}${place ? ` (at ${place})` : ''}`, { cause })
  }
}

function asSchema(json: unknown, what: string): JsonSchema {
  if (isObject(json)) return json
  throw new McpError('invalid_definition', `${what}: the schema library did not return a JSON Schema object`)
}

/** Libraries name the dialect that every schema has without a name; validators that do not know it refuse the schema. */
function withoutDefaultDialect(schema: JsonSchema): JsonSchema {
  const { $schema, ...rest } = schema
  return typeof $schema === 'string' && dialectOf($schema) === dialects['2020-12'] ? rest : schema
}

function converterOf({ vendor, ...rest }: StandardProps, what: string): StandardJsonConverter {
  const { jsonSchema } = rest as { jsonSchema?: StandardJsonConverter }
  if (typeof jsonSchema?.input === 'function' && typeof jsonSchema.output === 'function') return jsonSchema
  const remedy =
    vendor === 'valibot'
      ? 'wrap it in toStandardJsonSchema() of @valibot/to-json-schema'
      : 'use a version of the library that implements Standard JSON Schema (Zod 4.2, ArkType 2.1.28 or later), or write a JSON Schema'
  throw new McpError(
    'invalid_definition',
    `${what}: this ${vendor} schema cannot describe itself as JSON Schema; ${remedy}`,
  )
}

const mark = 'x-cannot-be-converted'

/**
 * Options that make libraries mark types without a JSON Schema, instead of failing without a path (Valibot) or allowing
 * anything (ArkType). Refinements only narrow the schema: the library still checks them.
 */
const markLost = new Map<string, Record<string, unknown>>([
  [
    'valibot',
    {
      errorMode: 'ignore',
      overrideSchema: ({ errors }: ValibotContext) => (errors ? { [mark]: errors[0] } : undefined),
      overrideAction: ({ errors, jsonSchema, valibotAction }: ValibotContext) =>
        errors && valibotAction?.kind !== 'validation'
          ? { ...jsonSchema, [mark]: errors[0] }
          : errors
            ? jsonSchema
            : undefined,
    },
  ],
  [
    'arktype',
    {
      fallback: {
        ...Object.fromEntries(
          [
            'arrayObject',
            'arrayPostfix',
            'domain',
            'morph',
            'patternIntersection',
            'proto',
            'symbolKey',
            'unit',
            'date',
          ].map((code) => [
            code,
            ({ base }: { base: JsonSchema }) => ({
              ...base,
              [mark]: `JSON Schema has no words for this type (${code})`,
            }),
          ]),
        ),
      },
    },
  ],
])

interface ValibotContext {
  errors?: [string, ...string[]]
  jsonSchema: JsonSchema
  valibotAction?: { kind: string }
}

const unknownToJson = new Set([
  'bigint',
  'symbol',
  'undefined',
  'void',
  'date',
  'map',
  'set',
  'transform',
  'nan',
  'custom',
  'function',
  'literal',
])

/** Zod names the type that it cannot convert but not its path, so a second conversion leaves marks. */
function whereIsIt({ vendor }: StandardProps, convert: StandardJsonConverter['input']): string | undefined {
  if (vendor !== 'zod') return undefined
  const override = ({
    zodSchema,
    jsonSchema,
  }: {
    zodSchema: { _zod: { def: { type: string } } }
    jsonSchema: JsonSchema
  }) => {
    if (unknownToJson.has(zodSchema._zod.def.type) && Object.keys(jsonSchema).length === 0) jsonSchema[mark] = 'here'
  }
  try {
    const json = convert({ target: 'draft-2020-12', libraryOptions: { unrepresentable: 'any', override } })
    return findMark(json, '#')?.pointer
  } catch {
    return undefined
  }
}

function findMark(value: unknown, pointer: string): { pointer: string; reason: string } | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (Object.hasOwn(value, mark)) return { pointer, reason: String((value as Record<string, unknown>)[mark]) }
  for (const [name, member] of Object.entries(value)) {
    const found = findMark(member, pointTo(pointer, name))
    if (found) return found
  }
  return undefined
}
