import { ErrorCode, McpError } from '../../errors.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import { metaKeys } from '../../model/meta.ts'
import { changeMember, changeValues, isObject, omit, omitting, withMember } from '../change.ts'
import { readParams, readResult, upgradeClientCapabilities } from '../decode.ts'
import type { Coding, Dialect, Shapes } from '../dialect.ts'
import { clientCapabilitiesReader, implementation, loggingLevel } from '../readers/common.ts'
import { idOrToken, object, optional, type Reader, string } from '../readers/reader.ts'
import { inputRequiredReader } from '../readers/results.ts'
import { knowsTasks, plainExtension, taskReader } from '../tasks.ts'

// Their answers travel as values inside a request: they are not results.
const inputMethods: ReadonlySet<string> = new Set(['roots/list', 'sampling/createMessage', 'elicitation/create'])
const mayAskForInput: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read'])
const cacheableMethods: ReadonlySet<string> = new Set([
  'server/discover',
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
])

const ownShapes: Shapes = {
  // The capability has no members here: there is no such notification.
  clientCapabilities: (capabilities) => changeMember(capabilities, 'roots', omitting('listChanged')),
  elicitParams: omitting('elicitationId'),
  serverCapabilities: plainExtension,
  tool: omitting('execution'),
}

const requestEnvelope = (): Reader =>
  object({
    _meta: object({
      [metaKeys.protocolVersion]: string,
      [metaKeys.clientCapabilities]: clientCapabilitiesReader(),
      [metaKeys.clientInfo]: optional(implementation),
      [metaKeys.logLevel]: optional(loggingLevel),
      progressToken: optional(idOrToken),
    }),
  })

function changeCapabilities(params: JsonObject, change: (capabilities: JsonObject) => JsonObject): JsonObject {
  const meta = params._meta
  if (!isObject(meta)) return params
  const changed = changeMember(meta, metaKeys.clientCapabilities, change)
  return changed === meta ? params : { ...params, _meta: changed }
}

const encodeCapabilities = (params: JsonObject): JsonObject => changeCapabilities(params, ownShapes.clientCapabilities!)
const upgradeCapabilities = upgradeClientCapabilities(ownShapes)
const decodeCapabilities = (params: JsonObject): JsonObject => changeCapabilities(params, upgradeCapabilities)

const isFreshness = (value: unknown): boolean => Number.isInteger(value) && (value as number) >= 0

function complete(method: string, result: JsonObject): JsonObject {
  const { resultType = 'complete' } = result
  if (resultType === 'complete' && cacheableMethods.has(method)) {
    const ttlMs = isFreshness(result.ttlMs) ? result.ttlMs : 0
    return { ...result, resultType, ttlMs, cacheScope: result.cacheScope === 'public' ? 'public' : 'private' }
  }
  return resultType === result.resultType ? result : withMember(result, 'resultType', resultType)
}

// The protocol reserves this range: codes that it does not define must not be sent.
const definedCodes: ReadonlySet<number> = new Set([
  ErrorCode.HeaderMismatch,
  ErrorCode.MissingRequiredClientCapability,
  ErrorCode.UnsupportedProtocolVersion,
])

function errorCode(code: number): number {
  if (code === ErrorCode.ResourceNotFound) return ErrorCode.InvalidParams
  const isReserved = code <= -32020 && code >= -32099
  return isReserved && !definedCodes.has(code) ? ErrorCode.InternalError : code
}

function resultTypesOf(method: string): string {
  if (method === 'tools/call') return '"complete", "input_required" or "task"'
  return mayAskForInput.has(method) ? '"complete" or "input_required"' : '"complete"'
}

function refuseResultType(method: string, resultType: unknown): never {
  const found = String(JSON.stringify(resultType)).slice(0, 40)
  throw new McpError('invalid_result', `${method} result.resultType: expected ${resultTypesOf(method)}, got ${found}`)
}

/** A call may become a task if the client declares the extension; the `task` param means nothing here. */
function withTask(params: JsonObject): JsonObject {
  const meta = params._meta as JsonObject
  return knowsTasks(meta[metaKeys.clientCapabilities]) ? withMember(params, 'task', {}) : omit(params, 'task')
}

// An acknowledgement has no members.
const acknowledged: ReadonlySet<string> = new Set(['tasks/update', 'tasks/cancel'])
const detailedTask: ReadonlySet<string> = new Set(['tasks/get', 'notifications/tasks'])

function envelope(inner: Coding, { requests }: Pick<Dialect, 'requests'>): Coding {
  const readEnvelope = requestEnvelope()
  const encodeInputRequest = (request: JsonObject): JsonObject =>
    changeMember(request, 'params', (params) => inner.encodeParams(String(request.method), params))
  const encodeAsked = (result: JsonObject): JsonObject =>
    changeMember(result, 'inputRequests', (asked) => changeValues(asked, encodeInputRequest))

  /** A task with the result or error of its call. */
  const encodeTask = (task: JsonObject): JsonObject => {
    const answered = changeMember(encodeAsked(task), 'result', (result) =>
      complete('tools/call', inner.encodeResult('tools/call', result)),
    )
    return changeMember(answered, 'error', (error) => ({ ...error, code: errorCode(error.code as number) }))
  }

  const decodeTask = (task: JsonObject): JsonObject =>
    changeMember(task, 'result', (result) => inner.decodeResult('tools/call', result))

  return {
    encodeParams(method, params) {
      if (detailedTask.has(method) && !requests.client.has(method)) return encodeTask(params)
      const encoded = inner.encodeParams(method, method === 'tools/call' ? omit(params, 'task') : params)
      return requests.client.has(method) ? encodeCapabilities(encoded) : encoded
    },
    encodeResult(method, result) {
      if (detailedTask.has(method)) return complete(method, encodeTask(result))
      if (acknowledged.has(method)) return complete(method, isObject(result._meta) ? { _meta: result._meta } : {})
      if (result.resultType === 'task') return result
      const encoded = inner.encodeResult(method, result)
      if (encoded.resultType === 'input_required') return encodeAsked(encoded)
      return inputMethods.has(method) ? encoded : complete(method, encoded)
    },
    decodeParams(method, params) {
      if (method === 'notifications/tasks') return decodeTask(readParams(method, params, taskReader))
      if (!requests.client.has(method)) return inner.decodeParams(method, params)
      const decoded = decodeCapabilities(inner.decodeParams(method, readParams(method, params, readEnvelope)))
      return method === 'tools/call' ? withTask(decoded) : decoded
    },
    decodeResult(method, result, params) {
      const { resultType = 'complete' } = result
      if (resultType === 'complete' && detailedTask.has(method))
        return decodeTask(readResult(method, result, taskReader))
      if (resultType === 'task' && method === 'tools/call') return readResult(method, result, taskReader)
      if (resultType === 'complete' || !requests.client.has(method)) return inner.decodeResult(method, result, params)
      if (resultType !== 'input_required' || !mayAskForInput.has(method)) refuseResultType(method, resultType)
      return readResult(method, result, inputRequiredReader)
    },
  }
}

/** The newest revision: no handshake, every message is complete by itself. */
export const rev20260728: Dialect = {
  revision: '2026-07-28',
  batches: false,
  errorsWithoutId: true,
  argumentErrorsAreResults: true,
  declaresContext: true,
  tasks: { declared: true, endedCanBeCancelled: true, reportsProgress: false },
  errorCode,
  requests: {
    client: new Set([
      'server/discover',
      'subscriptions/listen',
      'tools/list',
      'tools/call',
      'resources/list',
      'resources/templates/list',
      'resources/read',
      'prompts/list',
      'prompts/get',
      'completion/complete',
      'tasks/get',
      'tasks/update',
      'tasks/cancel',
    ]),
    server: new Set(),
  },
  notifications: {
    client: new Set(['notifications/cancelled']),
    server: new Set([
      'notifications/cancelled',
      'notifications/progress',
      'notifications/message',
      'notifications/resources/updated',
      'notifications/resources/list_changed',
      'notifications/tools/list_changed',
      'notifications/prompts/list_changed',
      'notifications/subscriptions/acknowledged',
      'notifications/tasks',
    ]),
  },
  shapes: {},
  ownShapes,
  upgrades: {},
  envelope,
}
