import { compileSchema, formatIssues } from '@tenon/sdk/schema'
import type { JsonSchema } from '@tenon/sdk/server'
import type { ApiDocument } from '../document/api-document.ts'
import type { Operation } from '../document/operation.ts'
import { SchemaConverter } from '../schema/convert-schema.ts'

/** The schema of what a tool returns. */
export interface OutputSchema {
  readonly schema: JsonSchema
  /** A list or a single value is the member `result` of an object: results are objects in every revision. */
  readonly wraps: boolean
  /** What is wrong with data, if anything. */
  problemOf(data: unknown): string | undefined
}

/** Undefined if the document does not describe the answer. */
export function outputSchemaOf(document: ApiDocument, { success }: Operation): OutputSchema | undefined {
  if (success?.schema === undefined) return undefined
  const converter = new SchemaConverter(document, 'output')
  const converted = converter.convert(success.schema, success.pointer)
  const { value } = document.resolve(success.schema, success.pointer)
  const isObjectSchema =
    (value as JsonSchema | undefined)?.type === 'object' || (value as JsonSchema)?.properties !== undefined
  const { definitions } = converter
  const root = { type: 'object', ...(Object.keys(definitions).length > 0 && { $defs: definitions }) } as const
  const schema: JsonSchema = isObjectSchema
    ? { ...(typeof converted === 'object' && converted), ...root }
    : { ...root, properties: { result: converted } }
  const check = compileSchema(schema)
  return {
    schema,
    wraps: !isObjectSchema,
    problemOf(data) {
      const issues = check.validate(data)
      return issues.length === 0 ? undefined : formatIssues(issues, 'answer')
    },
  }
}
