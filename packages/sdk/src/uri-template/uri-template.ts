import { expandParts } from './expand.ts'
import { matchUri } from './match.ts'
import { parseParts } from './parse.ts'
import { compile } from './program.ts'
import type { TemplatePart, UriTemplate } from './types.ts'

export type { TemplateMatch, TemplateScalar, TemplateValue, TemplateValues, UriTemplate } from './types.ts'
export type { TemplateVariables } from './variables.ts'

/**
 * Parses an RFC 6570 URI template; one that is malformed or too large throws an `McpError` `invalid_definition`.
 *
 * ```ts
 * const users = parseUriTemplate('db://users/{id}{?fields*}')
 * users.match('db://users/7?fields=name&fields=age') // { id: '7', fields: ['name', 'age'] }
 * ```
 */
export function parseUriTemplate(template: string): UriTemplate {
  const parts = parseParts(template)
  const steps = compile(parts)
  return {
    template,
    variables: variableNames(parts),
    expand: (values) => expandParts(parts, values),
    match: (uri) => matchUri(steps, uri),
  }
}

const variableNames = (parts: readonly TemplatePart[]): string[] => [
  ...new Set(parts.flatMap((part) => (typeof part === 'string' ? [] : part.variables.map((spec) => spec.name)))),
]
