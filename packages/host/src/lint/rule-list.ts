import type { Severity } from './types.ts'

interface RuleFacts {
  readonly severity: Severity
  /** The rule in one sentence. */
  readonly about: string
}

/** The name of a rule. */
export type LintRule =
  | 'name-characters'
  | 'name-length'
  | 'name-invalid'
  | 'name-duplicate'
  | 'name-look-alike'
  | 'description-missing'
  | 'description-duplicate'
  | 'description-long'
  | 'title-missing'
  | 'argument-undescribed'
  | 'text-invisible'
  | 'text-instructions'
  | 'annotations-missing'
  | 'annotations-contradict'
  | 'call-contradicts'
  | 'schema-invalid'
  | 'schema-top'
  | 'schema-items'
  | 'schema-required'
  | 'schema-untyped'
  | 'schema-property-name'
  | 'schema-enum'
  | 'schema-recursive'
  | 'schema-keyword'
  | 'schema-strict'
  | 'schema-large'
  | 'cost-total'
  | 'cost-tool'
  | 'tool-count'
  | 'definition-changed'
  | 'definition-new'
  | 'definition-removed'

/** Every rule with its severity, and a sentence about it. */
export const lintRules: { readonly [Name in LintRule]: RuleFacts } = {
  'name-characters': { severity: 'warning', about: 'Names have only characters that every provider takes.' },
  'name-length': { severity: 'warning', about: 'Names are not longer than every provider takes.' },
  'name-invalid': { severity: 'error', about: 'Names keep to the protocol: 1 to 128 letters, digits, `_`, `-`, `.`.' },
  'name-duplicate': { severity: 'error', about: 'No two items of a list have the same name.' },
  'name-look-alike': { severity: 'warning', about: 'No two names look alike.' },
  'description-missing': { severity: 'warning', about: 'Tools and prompts are described.' },
  'description-duplicate': { severity: 'warning', about: 'No two tools have the same description.' },
  'description-long': { severity: 'note', about: 'Descriptions are not longer than some models take.' },
  'title-missing': { severity: 'note', about: 'Tools and prompts have a title for people.' },
  'argument-undescribed': { severity: 'note', about: 'Arguments are described.' },
  'text-invisible': { severity: 'error', about: 'No text has characters that people cannot see and models read.' },
  'text-instructions': { severity: 'warning', about: 'No text gives orders to the model beyond the tool.' },
  'annotations-missing': { severity: 'note', about: 'Tools say whether they change anything.' },
  'annotations-contradict': { severity: 'warning', about: 'Annotations do not contradict each other or the name.' },
  'call-contradicts': { severity: 'warning', about: 'Calls do what the definition of the tool says.' },
  'schema-invalid': { severity: 'error', about: 'Schemas are valid, and their references lead somewhere.' },
  'schema-top': { severity: 'error', about: 'Input schemas are one object at the top.' },
  'schema-items': { severity: 'error', about: 'Arrays describe their items.' },
  'schema-required': { severity: 'warning', about: 'Required members are described.' },
  'schema-untyped': { severity: 'warning', about: 'Members have a type.' },
  'schema-property-name': { severity: 'error', about: 'Members have names that every provider takes.' },
  'schema-enum': { severity: 'note', about: 'Enumerations are texts.' },
  'schema-recursive': { severity: 'note', about: 'Schemas do not contain themselves.' },
  'schema-keyword': { severity: 'note', about: 'Schemas use keywords that every provider knows.' },
  'schema-strict': { severity: 'note', about: 'Input schemas fit the strict mode of OpenAI.' },
  'schema-large': { severity: 'warning', about: 'Schemas are small enough to be read.' },
  'cost-total': { severity: 'warning', about: 'The tool definitions leave room in the prompt.' },
  'cost-tool': { severity: 'note', about: 'No single tool takes a large part of it.' },
  'tool-count': { severity: 'warning', about: 'There are not more tools than a request may have.' },
  'definition-changed': { severity: 'warning', about: 'Definitions are those of the last visit.' },
  'definition-new': { severity: 'note', about: 'Nothing was added since the last visit.' },
  'definition-removed': { severity: 'warning', about: 'Nothing was removed since the last visit.' },
}
