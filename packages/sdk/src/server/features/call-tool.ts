import { ErrorCode, isToolError, McpError, RpcError } from '../../errors.ts'
import type { MaybePromise } from '../../internal/maybe-promise.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import type { CallToolResult } from '../../model/tools.ts'
import { formatIssues, type ParseResult } from '../../schema/bridge.ts'
import { refuseScopes } from '../access/scopes.ts'
import type { ToolContext } from '../context.ts'
import type { Offers } from '../definition/offers.ts'
import type { Call } from '../dispatch/call.ts'
import { causedByClient } from '../dispatch/client-fault.ts'
import { isForPeer } from '../dispatch/wire-error.ts'
import { Interrupted } from '../questions/round.ts'
import { noteFault } from '../tasks/task-handle.ts'
import { needsTask } from '../tasks/task-refusals.ts'
import { type FoundTool, findTool } from './find-tool.ts'
import type { ServerTool } from './tool.ts'
import {
  contentResult,
  errorResult,
  spelledOut,
  spelledOutResult,
  structuredResult,
  type ToolResult,
} from './tool-result.ts'

/** Runs a tool, here or in a mounted server. */
export function answerToolsCall(call: Call, server: Offers, params: JsonObject): MaybePromise<JsonObject> {
  return callThrough(call, server, params, call.tool)
}

/** Goes through the middleware of a server. `known` is the tool if it was looked up before. */
function callThrough(
  call: Call,
  server: Offers,
  params: JsonObject,
  known: FoundTool | undefined,
): MaybePromise<JsonObject> {
  if (!server.layers.has('tools/call')) return findAndRun(call, server, params, known)
  return server.layers.run(
    'tools/call',
    params,
    () => call.contextOf(server),
    (current) => findAndRun(call, server, current, known),
  )
}

function findAndRun(
  call: Call,
  server: Offers,
  params: JsonObject,
  known: FoundTool | undefined,
): MaybePromise<JsonObject> {
  const name = params.name as string
  // Middleware may have changed the name.
  const found = known?.name === name ? known : findTool(server, name)
  if (found === undefined) return callElsewhere(call, params)
  const { tool, via } = found
  if (via !== undefined) return callThrough(call, via.server, { ...params, name: via.found.name }, via.found)
  const given = params.arguments ?? {}
  return tool.visible === undefined ? run(call, server, tool, given) : runIfVisible(call, server, tool, given)
}

/** A tool that is not registered may be one of a mounted backend. */
async function callElsewhere(call: Call, params: JsonObject): Promise<JsonObject> {
  const result = await call.parts?.pass(call, params)
  if (result === undefined) throw unknownTool(params.name as string)
  return result
}

async function runIfVisible(call: Call, server: Offers, tool: ServerTool<never>, given: unknown): Promise<JsonObject> {
  if (tool.scopes !== undefined) await refuseScopes(call.caller, server, tool.scopes)
  if (!(await server.sees(call.caller, tool.visible))) throw unknownTool(tool.name)
  return run(call, server, tool, given)
}

const unknownTool = (name: string): RpcError =>
  new RpcError(ErrorCode.InvalidParams, `Unknown tool: ${JSON.stringify(name)}`)

function run(call: Call, server: Offers, tool: ServerTool<never>, given: unknown): MaybePromise<JsonObject> {
  if (tool.task?.required && call.task === undefined) throw needsTask(call, tool.name)
  // Without a schema nothing is known about the arguments, and the list says that there are none.
  if (tool.input === undefined) return perform(call, server, tool, {})
  const parsed = tool.input.parse(given)
  return parsed instanceof Promise
    ? parsed.then((known) => performParsed(call, server, tool, known))
    : performParsed(call, server, tool, parsed)
}

function performParsed(
  call: Call,
  server: Offers,
  tool: ServerTool<never>,
  parsed: ParseResult<unknown>,
): MaybePromise<JsonObject> {
  if (parsed.ok) return perform(call, server, tool, parsed.value)
  return wrongArguments(call, tool.name, formatIssues(parsed.issues, 'arguments'))
}

function perform(call: Call, server: Offers, tool: ServerTool<never>, input: unknown): MaybePromise<JsonObject> {
  try {
    const context = call.contextOf(server)
    const result =
      context instanceof Promise
        ? performLater(call, tool, input, context)
        : afterwards(
            tool,
            call.run(() => tool.run(input as never, context)),
          )
    return result instanceof Promise ? orFailed(call, server, tool, result) : result
  } catch (thrown) {
    return failed(call, server, tool.name, thrown) as unknown as JsonObject
  }
}

async function performLater(
  call: Call,
  tool: ServerTool<never>,
  input: unknown,
  making: Promise<ToolContext<never>>,
): Promise<JsonObject> {
  const context = await making
  return afterwards(
    tool,
    call.run(() => tool.run(input as never, context)),
  )
}

async function orFailed(
  call: Call,
  server: Offers,
  tool: ServerTool<never>,
  result: Promise<JsonObject>,
): Promise<JsonObject> {
  try {
    return await result
  } catch (thrown) {
    return failed(call, server, tool.name, thrown) as unknown as JsonObject
  }
}

/** The result of a handler's return value, or of the value that it resolves to. */
function afterwards(tool: ServerTool<never>, returned: unknown): MaybePromise<JsonObject> {
  if (returned instanceof Promise) return returned.then((value: unknown) => toResult(tool, value))
  return toResult(tool, returned)
}

function wrongArguments(call: Call, name: string, problem: string): JsonObject {
  const message = `Invalid arguments for tool ${name}: ${problem}`
  if (call.caller.codec.argumentErrorsAreResults) return errorResult(message) as unknown as JsonObject
  throw new RpcError(ErrorCode.InvalidParams, message)
}

function toResult(tool: ServerTool<never>, returned: unknown): MaybePromise<JsonObject> {
  if (returned instanceof Interrupted) return returned.result
  const spelled = spelledOut(returned, tool.output?.json)
  if (tool.output !== undefined && !spelled?.isError) return toCheckedResult(tool, returned, spelled)
  const result = spelled === undefined ? contentResult(returned) : spelledOutResult(spelled)
  return result as unknown as JsonObject
}

/** The data must match the output schema. */
function toCheckedResult(
  tool: ServerTool<never>,
  returned: unknown,
  spelled: ToolResult | undefined,
): MaybePromise<JsonObject> {
  const parsed = tool.output!.parse(spelled === undefined ? returned : spelled.structured)
  return parsed instanceof Promise
    ? parsed.then((known) => checkedResult(tool, spelled, known))
    : checkedResult(tool, spelled, parsed)
}

function checkedResult(
  tool: ServerTool<never>,
  spelled: ToolResult | undefined,
  parsed: ParseResult<unknown>,
): JsonObject {
  if (!parsed.ok || parsed.value === undefined) throw notAsPromised(tool, parsed)
  const result = spelled === undefined ? structuredResult(parsed.value) : spelledOutResult(spelled, parsed.value)
  return result as unknown as JsonObject
}

function notAsPromised(tool: ServerTool<never>, parsed: ParseResult<unknown>): McpError {
  const problem = parsed.ok ? 'nothing' : formatIssues(parsed.issues, 'result')
  return new McpError('invalid_result', `Tool ${tool.name} returned what its output schema does not allow: ${problem}`)
}

/** An exception as the model reads it: a message that was meant for it, or an id that the operator can look up. */
function failed(call: Call, server: Offers, name: string, thrown: unknown): CallToolResult {
  if (isForPeer(thrown)) throw thrown
  if (isToolError(thrown) || causedByClient(thrown)) return errorResult(thrown.message)
  // A client that cancelled waits for no answer, and a handler that then gives up is right.
  if (call.request.cancelled) return errorResult('Cancelled')
  if (call.task !== undefined) noteFault(call.task)
  return errorResult(`Internal error (id ${server.report(thrown, `tool ${name}`)})`)
}
