import { compileSchema } from '@tenon/sdk/schema'
import { withNumbers } from '../../src/exact-json.ts'
import type { Schema } from './resolve.ts'

/** Validation errors, by the path of the value: `/a/0/b`. */
export type Issues = ReadonlyMap<string, readonly string[]>

/** Holds values against a schema. */
interface Checker {
  issues(value: unknown): Issues
  /** Set if the schema cannot be used: then nothing is checked. */
  problem?: string
}

export const pathOf = (parent: string, name: string | number): string =>
  `${parent}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`

/**
 * Compiles a schema of a server: bounded, and without running or fetching anything. `formats` are those of input: the library
 * checks them in answers to questions, and not in results.
 */
export function checkerFor(schema: Schema, { formats = false } = {}): Checker {
  try {
    const compiled = compileSchema(schema, { formats })
    return {
      issues: (value) => {
        const issues = new Map<string, string[]>()
        for (const { path, message } of compiled.validate(withNumbers(value))) {
          const key = path.reduce<string>(pathOf, '')
          issues.set(key, [...(issues.get(key) ?? []), message])
        }
        return issues
      },
    }
  } catch (error) {
    return { issues: () => new Map(), problem: (error as Error).message }
  }
}
