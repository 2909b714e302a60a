import { ToolError } from '@tenon/sdk/server'
import { compileGlob, type Matcher, PatternError } from '../find/glob.ts'

/** Compiles the globs of a call into one that matches if any does. A wrong one is an error for the model. */
export function compileGlobs(patterns: readonly string[]): Matcher {
  try {
    const matchers = patterns.map(compileGlob)
    return (path) => matchers.some((matches) => matches(path))
  } catch (error) {
    throw error instanceof PatternError ? new ToolError(error.message) : error
  }
}

/** Compiles patterns of things to leave out: one without a star is a name that may stand anywhere. */
export const compileExcludes = (patterns: readonly string[]): Matcher =>
  compileGlobs(patterns.flatMap((one) => (one.includes('*') ? [one] : [one, `**/${one}`, `**/${one}/**`])))
