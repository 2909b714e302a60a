export { formatIssues, type ParseIssue } from './schema/issues.ts'
export {
  type CompiledSchema,
  type CompileOptions,
  compileSchema,
  type SchemaIssue,
  type SchemaLimits,
} from './schema/validator.ts'
