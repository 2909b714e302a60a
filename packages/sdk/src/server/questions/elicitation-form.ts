import type { ElicitationSchema } from '../../model/elicitation.ts'
import { type Schema, type SchemaLike, toSchema } from '../../schema/bridge.ts'
import { toElicitationSchema } from '../../schema/elicitation/elicitation.ts'
import { keepPrint } from './canonical-json.ts'

interface Form {
  /** The form that the client shows. */
  requestedSchema: ElicitationSchema
  /** Validates the answer. */
  schema: Schema<unknown>
}

const forms = new WeakMap<object, Form>()

/** The form of a schema, made once: handlers usually ask with the same schema object again and again. */
export function elicitationForm(like: SchemaLike): Form {
  const known = forms.get(like)
  if (known !== undefined) return known
  const schema = toSchema(like, 'input', 'elicitation schema')
  const form = { requestedSchema: toElicitationSchema(schema.json, 'elicitation schema'), schema }
  keepPrint(form.requestedSchema)
  forms.set(like, form)
  return form
}
