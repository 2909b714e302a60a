import { parseParts } from './parse.ts'
import type { TemplatePart } from './types.ts'

/** A well-formed template, parsed. */
export interface ParsedTemplate {
  readonly parts: readonly TemplatePart[]
  readonly variables: readonly string[]
}

/** Parses an RFC 6570 URI template; one that is malformed or too large throws an `McpError` `invalid_definition`. */
export function parseTemplate(template: string): ParsedTemplate {
  const parts = parseParts(template)
  return { parts, variables: variableNames(parts) }
}

const variableNames = (parts: readonly TemplatePart[]): string[] => [
  ...new Set(parts.flatMap((part) => (typeof part === 'string' ? [] : part.variables.map((spec) => spec.name)))),
]
