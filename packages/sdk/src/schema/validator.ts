import type { JsonSchema } from '../model/tools.ts'
import { type CompiledSchema, type CompileOptions, compileSchemaWith } from './compile-schema.ts'
import { compilePattern } from './regex/pattern.ts'

export type { CompiledSchema, CompileOptions, SchemaIssue, SchemaLimits } from './compile-schema.ts'

/** Compiles a JSON Schema of draft 2020-12 or draft-07; an unusable one is an `invalid_definition` with the place. */
export const compileSchema = (schema: JsonSchema | boolean, options: CompileOptions = {}): CompiledSchema =>
  compileSchemaWith(compilePattern, schema, options)
