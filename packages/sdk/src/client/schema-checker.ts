import type { JsonSchema } from '../model/tools.ts'
import { formatIssues } from '../schema/bridge.ts'
import { type CompileOptions, compileSchema } from '../schema/validator.ts'

/** Says why a value does not fit, or nothing. */
export type SchemaChecker = (value: unknown) => string | undefined

/** A check against a JSON Schema that came from a server; throws if the schema cannot be used. */
export function schemaChecker(schema: JsonSchema, root: string, options: CompileOptions = {}): SchemaChecker {
  const compiled = compileSchema(schema, options)
  return (value) => {
    const issues = compiled.validate(value)
    return issues.length === 0 ? undefined : formatIssues(issues, root)
  }
}
