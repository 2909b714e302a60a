import { ErrorCode, McpError, RpcError } from '../errors.ts'
import type { JsonObject } from '../jsonrpc/message.ts'
import { changeMember, omit, type ShapeChange } from './change.ts'
import type { Coding, Dialect, Shapes } from './dialect.ts'
import { withElicitationMode } from './readers/common.ts'
import { paramsReaders } from './readers/params.ts'
import type { Reader } from './readers/reader.ts'
import { Mismatch } from './readers/reader.ts'
import { resultReaders } from './readers/results.ts'

/** Reads params, or throws the error -32602 for the sender. */
export function readParams(method: string, params: JsonObject | undefined, read: Reader): JsonObject {
  const value = read(params ?? {})
  if (!(value instanceof Mismatch)) return value as JsonObject
  throw new RpcError(ErrorCode.InvalidParams, `${method} params${value.path}: ${value}`)
}

/** Reads params as all revisions have them, without the envelope of some. */
function readPlainParams(method: string, params: JsonObject | undefined): JsonObject {
  const read = paramsReaders.get(method)
  return read ? readParams(method, params, read) : (params ?? {})
}

/** Throws if reading them would. */
export function assertPlainParams(method: string, params: JsonObject): void {
  readPlainParams(method, params)
}

/** Reads a result or throws an `invalid_result`. */
export function readResult(method: string, result: JsonObject, read: Reader): JsonObject {
  const value = read(result)
  if (!(value instanceof Mismatch)) return value as JsonObject
  throw new McpError('invalid_result', `${method} result${value.path}: ${value}`)
}

/** Client capabilities of the model. Those that the revision cannot express are not declared. */
export const upgradeClientCapabilities =
  (shapes: Shapes): ShapeChange =>
  (capabilities) =>
    withElicitationMode(shapes.clientCapabilities?.(capabilities) ?? capabilities)

/** Wire to model. Unknown methods pass unchanged. */
export function createDecoder(
  shapes: Shapes,
  upgrades: Dialect['upgrades'],
): Pick<Coding, 'decodeParams' | 'decodeResult'> {
  const upgradeCapabilities = upgradeClientCapabilities(shapes)
  return {
    decodeParams(method, params) {
      const value = readPlainParams(method, params)
      // Revisions with tasks read this themselves.
      if (method === 'tools/call') return omit(value, 'task')
      return method === 'initialize' ? changeMember(value, 'capabilities', upgradeCapabilities) : value
    },
    decodeResult(method, result, params) {
      const read = resultReaders.get(method)
      const value = read ? readResult(method, result, read) : result
      return Object.hasOwn(upgrades, method) ? upgrades[method]!(value, params) : value
    },
  }
}
