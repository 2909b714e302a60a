import { literal, toExpectation, toSavedCall } from '@tenon/replay/json'
import type { JsonObject } from '@tenon/sdk/client'
import type { Operation, Outcome } from '../../src/protocol.ts'

/** An operation, as a file of saved calls writes it. */
export function toSource(operation: Operation): JsonObject {
  const { method, params } = requestOf(operation)
  return literal(toSavedCall(method, params) ?? { request: { method, params } })
}

function requestOf(operation: Operation): { method: string; params: JsonObject } {
  if (operation.method === 'request') return { method: operation.name, params: operation.params }
  const { method, ...params } = operation
  return { method, params }
}

/** A request that travelled, as an operation. Members that belong to the protocol are not the caller's. */
export function toOperation(method: string, params: unknown): Operation {
  const { _meta: _, ...own } = (params ?? {}) as JsonObject
  const { name, uri, arguments: args = {} } = own as { name?: unknown; uri?: unknown; arguments?: JsonObject }
  if (method === 'tools/call' && typeof name === 'string') return { method, name, arguments: args }
  if (method === 'resources/read' && typeof uri === 'string') return { method, uri }
  if (method === 'prompts/get' && typeof name === 'string') {
    return { method, name, arguments: args as { [name: string]: string } }
  }
  return { method: 'request', name: method, params: own }
}

/** The expectation that fits an outcome. */
export function expectationOf(operation: Operation, outcome: Outcome | undefined, hasSchema: boolean): JsonObject {
  if (outcome === undefined) return {}
  if (outcome.kind === 'problem') {
    const { code } = outcome.problem
    return { error: code ?? true }
  }
  const { method, params } = requestOf(operation)
  if (toSavedCall(method, params) === undefined) return { result: literal(withoutMeta(outcome.result)) }
  const expectation = literal(toExpectation(outcome.result))
  return hasSchema && expectation.structured !== undefined ? { ...expectation, schema: true } : expectation
}

const withoutMeta = ({ _meta: _, resultType: __, ...rest }: JsonObject): JsonObject => rest
