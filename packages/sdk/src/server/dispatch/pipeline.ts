import { ErrorCode, RpcError } from '../../errors.ts'
import type { MaybePromise } from '../../internal/maybe-promise.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import type { StateServer } from '../stateless/state-seal.ts'
import type { Call } from './call.ts'

/** How one method is answered, in the words of the model. */
export interface Method<S extends StateServer> {
  /** True if its handlers may ask the client. */
  readonly asks?: boolean
  run(call: Call, server: S, params: JsonObject): MaybePromise<JsonObject>
  /** Answers in place of `run`, if it gives an answer. */
  instead?(call: Call, server: S, params: JsonObject): Promise<JsonObject | undefined> | undefined
}

/** Makes of a result the answer to a call. */
export type Encode = (call: Call, result: JsonObject) => JsonObject

/** The params of a call, in the words of the model. */
export const decodeParams = ({ caller, request }: Call): JsonObject =>
  caller.codec.decodeParams(request.method, request.params)

/** Runs a method with decoded params, in rounds if it has to ask, and encodes its result. A promise only if it waits. */
export function answerMethod<S extends StateServer>(
  call: Call,
  server: S,
  method: Method<S>,
  params: JsonObject,
  encode: Encode,
): MaybePromise<JsonObject> {
  const instead = method.instead?.(call, server, params)
  const result = instead ? runUnless(instead, call, server, method, params) : run(call, server, method, params)
  return result instanceof Promise ? encodeLater(call, result, encode) : encode(call, result)
}

async function runUnless<S extends StateServer>(
  instead: Promise<JsonObject | undefined>,
  call: Call,
  server: S,
  method: Method<S>,
  params: JsonObject,
): Promise<JsonObject> {
  return (await instead) ?? run(call, server, method, params)
}

function run<S extends StateServer>(
  call: Call,
  server: S,
  method: Method<S>,
  params: JsonObject,
): MaybePromise<JsonObject> {
  if (method.asks) return call.caller.conversation.perform(call, server, params, method.run)
  return method.run(call, server, params)
}

async function encodeLater(call: Call, result: Promise<JsonObject>, encode: Encode): Promise<JsonObject> {
  return encode(call, await result)
}

export const methodNotFound = (method: string, why: string): RpcError =>
  new RpcError(ErrorCode.MethodNotFound, `Method not found: ${method} (${why})`)
