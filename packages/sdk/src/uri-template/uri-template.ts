import { expandParts } from './expand.ts'
import { matchTemplate } from './match-template.ts'
import { parseTemplate } from './parsed.ts'
import type { UriTemplate } from './types.ts'

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
  const parsed = parseTemplate(template)
  return {
    template,
    variables: parsed.variables,
    expand: (values) => expandParts(parsed.parts, values),
    match: (uri) => matchTemplate(parsed, uri),
  }
}
