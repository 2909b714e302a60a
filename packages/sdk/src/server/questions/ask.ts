import { ErrorCode, McpError, RpcError } from '../../errors.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import type { ClientCapabilities } from '../../model/capabilities.ts'
import type { AskOptions } from '../context.ts'
import type { Call } from '../dispatch/call.ts'
import { blameClient } from '../dispatch/client-fault.ts'
import { replayOf } from '../stateless/request-state.ts'

/** Asks the client: at once, or, where a server only answers, with the result of this run. */
export async function ask(
  call: Call,
  method: string,
  params: JsonObject,
  required: ClientCapabilities,
  options: AskOptions = {},
): Promise<JsonObject> {
  needCapability(call, required)
  countQuestion(call, method)
  const { round } = call
  const { codec } = call.caller
  if (round === undefined && !codec.requests.server.has(method)) {
    const where = `while ${call.request.method} is answered in revision ${codec.revision}`
    blameClient(new McpError('unsupported', `${method} cannot be asked ${where}`))
  }
  if (round !== undefined && options.signal?.aborted) {
    throw new McpError('cancelled', `${method} was cancelled before it was asked`, { cause: options.signal.reason })
  }
  const encoded = codec.encodeParams(method, params)
  const answer = await (round === undefined
    ? askLive(call, method, encoded, options)
    : replayOf(call, round).ask({ method, params, encoded, key: options.key }))
  try {
    return codec.decodeResult(method, answer, params)
  } catch (error) {
    return refuseAnswer(call, error as Error)
  }
}

const defaultMaxQuestions = 1_000

/** A handler that lets a model decide whether to go on must come to an end all the same. */
function countQuestion(call: Call, method: string): void {
  const limit = call.owner?.options.limits?.maxQuestions ?? defaultMaxQuestions
  if (++call.asked <= limit) return
  throw new McpError(
    'invalid_result',
    `${method} was not asked: a call may ask the client ${limit} times (limits.maxQuestions)`,
  )
}

async function askLive(call: Call, method: string, encoded: JsonObject, options: AskOptions): Promise<JsonObject> {
  const { request, outlet } = call
  const signal = options.signal ? AbortSignal.any([options.signal, request.signal]) : request.signal
  const timeoutMs = options.timeoutMs ?? outlet.askTimeoutMs
  try {
    return await outlet.ask(method, encoded, { signal, timeoutMs, maxTotalMs: timeoutMs }, request)
  } catch (error) {
    return blameClient(error)
  }
}

/** A wrong answer is the handler's to deal with, unless it came as part of the request: then the request is wrong. */
export function refuseAnswer(call: Call, error: Error): never {
  if (call.round === undefined) return blameClient(error)
  return replayOf(call, call.round).refuse(new RpcError(ErrorCode.InvalidParams, `inputResponses: ${error.message}`))
}

/** Nothing is asked of a client that did not declare that it can be asked. */
export function needCapability({ caller }: Call, required: ClientCapabilities): void {
  const missing = missingCapability(required, caller)
  if (missing !== undefined) caller.conversation.refuseQuestion(missing, required)
}

/** The dotted name of the first required capability that was not declared. */
function missingCapability(
  required: ClientCapabilities,
  { capabilities: declared, codec }: Call['caller'],
): string | undefined {
  for (const [name, parts] of Object.entries(required)) {
    const found = declared[name as keyof ClientCapabilities] as JsonObject | undefined
    if (!found) return name
    for (const part of Object.keys(parts)) {
      if (!found[part] && (part !== 'context' || codec.declaresContext)) return `${name}.${part}`
    }
  }
  return undefined
}
