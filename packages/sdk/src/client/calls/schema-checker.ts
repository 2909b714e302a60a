import type { JsonSchema } from '../../model/tools.ts'
import { formatIssues } from '../../schema/issues.ts'
import type { CompileOptions } from '../../schema/validator.ts'
import type * as engine from './schema-engine.ts'

/** Returns the reason why a value does not fit, or nothing. */
export type SchemaChecker = (value: unknown) => string | undefined

let loaded: typeof engine | undefined

/** Whether `schemaChecker` can be used. */
export const canCheckSchemas = (): boolean => loaded !== undefined

/** The validator is loaded when there is a schema to check against: many clients never see one. */
export async function loadSchemaChecks(): Promise<void> {
  loaded = await import('./schema-engine.ts')
}

/** A check against a JSON Schema that came from a server; throws if the schema cannot be used. */
export function schemaChecker(schema: JsonSchema, root: string, options: CompileOptions = {}): SchemaChecker {
  const compiled = loaded!.compileSchema(schema, options)
  return (value) => {
    const issues = compiled.validate(value)
    return issues.length === 0 ? undefined : formatIssues(issues, root)
  }
}
