import type { ElicitationSchema } from '../../model/elicitation.ts'
import { isObject, own } from '../value.ts'

/** The answer with the defaults of the fields that were left out. */
export function applyDefaults(
  schema: ElicitationSchema,
  content: { readonly [name: string]: unknown },
): { [name: string]: unknown } {
  const fields = Object.entries(isObject(schema.properties) ? schema.properties : {})
  const defaults = fields.filter(
    ([name, field]) => isObject(field) && own(field, 'default') !== undefined && own(content, name) === undefined,
  )
  return Object.fromEntries([...Object.entries(content), ...defaults.map(([name, field]) => [name, field.default])])
}
