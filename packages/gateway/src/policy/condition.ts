import { type Expression, expressionCompiler } from '@tenon/host/parts'
import { AnnotationFacts, CallerFacts, type Facts } from './facts.ts'

const stringList = 'list<string>'

/** Compiles a condition over the facts of a request; throws an `ExpressionError` with the place of a fault. */
export const compileCondition: (source: string) => Expression = expressionCompiler({
  caller: {
    type: 'Caller',
    ctor: CallerFacts,
    fields: {
      id: 'string',
      kind: 'string',
      name: 'string',
      issuer: 'string',
      scopes: stringList,
      groups: stringList,
      claims: 'map<string, dyn>',
    },
  },
  server: 'string',
  upstream: 'string',
  kind: 'string',
  name: 'string',
  annotations: {
    type: 'Annotations',
    ctor: AnnotationFacts,
    fields: { readOnlyHint: 'bool', destructiveHint: 'bool', idempotentHint: 'bool', openWorldHint: 'bool' },
  },
  args: 'map<string, dyn>',
  now: 'google.protobuf.Timestamp',
})

/** The work that one condition may be, in elements and characters looked at. */
const maxCost = 10_000_000

/** Whether a condition holds; undefined if that depends on arguments that are not known. Throws if it fails. */
export function holds(condition: Expression, { values, args }: Facts): boolean | undefined {
  const readsArgs = condition.names.has('args')
  if (readsArgs && args !== undefined) refuseCost(condition, args)
  try {
    const value = condition.evaluate(values)
    if (typeof value === 'boolean') return value
    throw new Error(`expected true or false, got ${typeof value}`)
  } catch (error) {
    // CEL has it that `false && ANYTHING` is false: a value without the arguments is the value for all of them.
    if (readsArgs && args === undefined) return undefined
    throw error
  }
}

/** Loops go over arguments, so the work is bounded before it begins. */
function refuseCost({ nesting, nodes, splits }: Expression, { elements, chars }: NonNullable<Facts['args']>): void {
  const looped = Math.max(1, splits ? elements + chars : elements)
  const cost = looped ** nesting * (nodes + chars)
  if (cost > maxCost) throw new Error(`the arguments are too large: the work is ${cost}, and may be ${maxCost}`)
}
