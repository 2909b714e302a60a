import type { LintCatalogue, LintSubject } from './types.ts'

/** Something that a server lists, with the place of findings about it. */
export interface Listed {
  readonly kind: LintSubject['kind']
  readonly name: string
  readonly definition: object
}

/** Everything that a server tells about itself. */
export function subjectsOf(catalogue: LintCatalogue): Listed[] {
  const { server = '', instructions, tools = [], prompts = [], resources = [], templates = [] } = catalogue
  return [
    ...(instructions === undefined ? [] : [{ kind: 'server' as const, name: server, definition: { instructions } }]),
    ...tools.map((definition): Listed => ({ kind: 'tool', name: definition.name, definition })),
    ...prompts.map((definition): Listed => ({ kind: 'prompt', name: definition.name, definition })),
    ...resources.map((definition): Listed => ({ kind: 'resource', name: definition.uri, definition })),
    ...templates.map((definition): Listed => ({ kind: 'template', name: definition.uriTemplate, definition })),
  ]
}

export const at = ({ kind, name }: Pick<Listed, 'kind' | 'name'>, pointer = ''): LintSubject => ({
  kind,
  name,
  pointer,
})
