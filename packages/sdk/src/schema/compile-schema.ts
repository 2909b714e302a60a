import type { JsonSchema } from '../model/tools.ts'
import { compileNodes, type PatternCompiler } from './compile.ts'
import type { DialectName } from './dialect.ts'
import { defaultLimits, type SchemaLimits } from './limits.ts'
import { patternLimit } from './regex/limit.ts'
import { refuseSchema, SchemaRegistry } from './registry.ts'
import { LimitReached, Run, type SchemaIssue, type SchemaNode } from './run.ts'

export type { SchemaIssue, SchemaLimits }

/** A schema that is compiled once and used many times. */
export interface CompiledSchema {
  /** At most ten issues; empty if the value is valid. Reaching a bound is an issue of keyword `limit`. */
  validate(value: unknown): SchemaIssue[]
  isValid(value: unknown): boolean
}

export interface CompileOptions {
  limits?: Partial<SchemaLimits>
  /** The dialect of a schema without `$schema`; 2020-12 if not given. */
  defaultDialect?: DialectName
  /** Makes `format` an assertion for the known formats. */
  formats?: boolean
  /** Other schemas that may be referred to, by URI. Nothing is ever fetched. */
  documents?: ReadonlyMap<string, JsonSchema | boolean>
}

/** Compiles a JSON Schema; the patterns in it are left to `compilePattern`. */
export function compileSchemaWith(
  compilePattern: PatternCompiler,
  schema: JsonSchema | boolean,
  options: CompileOptions = {},
): CompiledSchema {
  const limits = { ...defaultLimits, ...options.limits }
  const registry = new SchemaRegistry(limits, options.defaultDialect ?? '2020-12', options.documents ?? new Map())
  const assertFormats = options.formats ?? false
  const root = guardStack(() => compileNodes(registry, registry.addRoot(schema), { assertFormats, compilePattern }))
  return {
    isValid: (value) => check(root, value, limits, null) === true,
    validate(value) {
      // Most values are valid, and checking that needs no paths; a slower second pass collects the issues.
      const answer = check(root, value, limits, null)
      if (answer === true) return []
      const issues: SchemaIssue[] = []
      const reason = answer === false ? check(root, value, limits, issues) : answer
      if (typeof reason === 'string' && issues.length === 0)
        issues.push({ path: [], message: reason, keyword: 'limit' })
      return issues
    },
  }
}

/** Whether the value is valid, or the limit that stopped the check. */
function check(root: SchemaNode, value: unknown, limits: SchemaLimits, issues: SchemaIssue[] | null): boolean | string {
  const run = new Run(limits, issues)
  try {
    return run.apply(root, value)
  } catch (thrown) {
    const reason = limitReason(thrown)
    if (reason === undefined) throw thrown
    return reason
  }
}

function limitReason(thrown: unknown): string | undefined {
  if (thrown instanceof LimitReached) return thrown.reason
  if (thrown === patternLimit) return 'matching a pattern took too many steps'
  return thrown instanceof RangeError ? 'the value needs more stack than there is' : undefined
}

function guardStack<T>(work: () => T): T {
  try {
    return work()
  } catch (thrown) {
    if (thrown instanceof RangeError) return refuseSchema('#', 'it is nested too deep')
    throw thrown
  }
}
