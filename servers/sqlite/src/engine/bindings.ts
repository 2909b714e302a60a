import type { DatabaseSync } from '@photostructure/sqlite'
import type { Parameter, Parameters } from './protocol.ts'
import { Refusal } from './refusal.ts'

type Value = null | number | bigint | string | Uint8Array

/** The arguments for a statement: values in their order, or one object with names. */
export function bindings(parameters: Parameters | undefined): never[] {
  if (parameters === undefined) return []
  if (Array.isArray(parameters)) return parameters.map(boundValue) as never[]
  const named = Object.entries(parameters).map(([name, value]) => [name, boundValue(value as Parameter)] as const)
  return [Object.fromEntries(named)] as never[]
}

function boundValue(given: Parameter): Value {
  if (typeof given === 'boolean') return given ? 1n : 0n
  if (typeof given === 'number') return Number.isSafeInteger(given) ? BigInt(given) : given
  if (given !== null && typeof given === 'object') return Buffer.from(given.base64, 'base64')
  return given
}

/** A parameter without a value would be NULL, and the answer wrong without a sign. The compiled program tells which it reads. */
export function refuseMissingParameters(
  db: InstanceType<typeof DatabaseSync>,
  sql: string,
  parameters: Parameters = [],
): void {
  if (!/[?:@$]/.test(sql)) return
  const given = Array.isArray(parameters) ? parameters.length : Object.keys(parameters).length
  const read = parametersReadBy(db, sql)
  if (read > given) throw new Refusal(`parameters: the statement reads ${read}, and ${given} were given`)
}

function parametersReadBy(db: InstanceType<typeof DatabaseSync>, sql: string): number {
  try {
    const program = db.prepare(`EXPLAIN ${sql}`).all() as unknown as [unknown, string, bigint][]
    return new Set(program.filter(([, opcode]) => opcode === 'Variable').map(([, , place]) => place)).size
  } catch {
    // An EXPLAIN, or a statement that has no program to show.
    return 0
  }
}
