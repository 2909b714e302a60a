import { isSchema } from '../../chat/tools/tool-schema.ts'
import type { SchemaNode } from './walk-schema.ts'

const unknown = [
  'allOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'dependentRequired',
  'dependentSchemas',
  'patternProperties',
  'propertyNames',
  'unevaluatedProperties',
  'minProperties',
  'maxProperties',
  'contains',
  'uniqueItems',
]
const maxLevels = 10
const maxProperties = 5_000
const maxEnumValues = 1_000

/** Reasons why a schema cannot be used with `strict: true` of OpenAI, each with the first place of it. */
export function strictReasons(nodes: readonly SchemaNode[]): { pointer: string; reason: string }[] {
  const reasons = new Map<string, string>()
  const add = (reason: string, pointer: string): void => {
    if (!reasons.has(reason)) reasons.set(reason, pointer)
  }
  let [properties, enumValues] = [0, 0]
  for (const { schema, pointer } of nodes) {
    for (const keyword of unknown) if (keyword in schema) add(`"${keyword}" is not allowed`, pointer)
    if (Array.isArray(schema.enum)) enumValues += schema.enum.length
    if (schema.type !== 'object' && !isSchema(schema.properties)) continue
    const names = Object.keys(isSchema(schema.properties) ? schema.properties : {})
    properties += names.length
    const required: unknown[] = Array.isArray(schema.required) ? schema.required : []
    if (schema.additionalProperties !== false) add('objects need "additionalProperties": false', pointer)
    if (names.some((name) => !required.includes(name))) add('all members have to be required', pointer)
    if (levelsOf(pointer) > maxLevels) add(`more than ${maxLevels} objects are nested`, pointer)
  }
  if (properties > maxProperties) add(`there are more than ${maxProperties} members`, nodes[0]!.pointer)
  if (enumValues > maxEnumValues) add(`there are more than ${maxEnumValues} values of enumerations`, nodes[0]!.pointer)
  return [...reasons].map(([reason, pointer]) => ({ reason, pointer }))
}

/** How many objects a place lies in. */
const levelsOf = (pointer: string): number => pointer.split('/properties/').length
