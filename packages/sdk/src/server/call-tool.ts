import { ErrorCode, isToolError, McpError, RpcError } from '../errors.ts'
import type { JsonObject } from '../jsonrpc/message.ts'
import type { CallToolResult } from '../model/tools.ts'
import { formatIssues } from '../schema/bridge.ts'
import type { Call } from './call.ts'
import type { Definition } from './definition.ts'
import { causedByClient } from './own-fault.ts'
import { Interrupted } from './replay.ts'
import { refuseScopes } from './scopes.ts'
import { needsTask } from './tasks/refusals.ts'
import type { ServerTool } from './tool.ts'
import { contentResult, errorResult, spelledOutResult, structuredResult, ToolResult } from './tool-result.ts'
import { isForPeer } from './wire-error.ts'

/** Runs a tool, here or in a mounted server. */
export function callTool(call: Call, definition: Definition, params: JsonObject): Promise<JsonObject> {
  return definition.layers.run(
    'tools/call',
    params,
    () => call.contextOf(definition),
    (current) => findAndRun(call, definition, current),
  )
}

async function findAndRun(call: Call, definition: Definition, params: JsonObject): Promise<JsonObject> {
  const name = params.name as string
  const tool = definition.tools.get(name)
  if (tool !== undefined) {
    if (tool.scopes !== undefined) await refuseScopes(call.caller, definition, tool.scopes)
    if (tool.visible !== undefined && !(await definition.sees(call.caller, tool.visible))) throw unknownTool(name)
    return run(call, definition, tool, params.arguments ?? {})
  }
  for (const { definition: mounted, prefix } of definition.mounts) {
    const inner = name.slice(prefix.length)
    if (name.startsWith(prefix) && hasTool(mounted, inner)) return callTool(call, mounted, { ...params, name: inner })
  }
  throw unknownTool(name)
}

const hasTool = (definition: Definition, name: string): boolean =>
  definition.tools.has(name) ||
  definition.mounts.some(
    (mount) => name.startsWith(mount.prefix) && hasTool(mount.definition, name.slice(mount.prefix.length)),
  )

const unknownTool = (name: string): RpcError =>
  new RpcError(ErrorCode.InvalidParams, `Unknown tool: ${JSON.stringify(name)}`)

async function run(call: Call, definition: Definition, tool: ServerTool<never>, given: unknown): Promise<JsonObject> {
  if (tool.task?.required && call.task === undefined) throw needsTask(call, tool.name)
  // Without a schema nothing is known about what was given, and the list says that there is nothing to give.
  let input: unknown = {}
  if (tool.input !== undefined) {
    const parsing = tool.input.parse(given)
    const parsed = parsing instanceof Promise ? await parsing : parsing
    if (!parsed.ok) return wrongArguments(call, tool.name, formatIssues(parsed.issues, 'arguments'))
    input = parsed.value
  }
  try {
    const making = call.contextOf(definition)
    const context = making instanceof Promise ? await making : making
    const returned = await call.run(() => tool.run(input, context))
    if (returned instanceof Interrupted) return returned.result
    return (await toResult(tool, returned)) as unknown as JsonObject
  } catch (thrown) {
    return failed(call, definition, tool.name, thrown) as unknown as JsonObject
  }
}

function wrongArguments(call: Call, name: string, problem: string): JsonObject {
  const message = `Invalid arguments for tool ${name}: ${problem}`
  if (call.caller.codec.argumentErrorsAreResults) return errorResult(message) as unknown as JsonObject
  throw new RpcError(ErrorCode.InvalidParams, message)
}

async function toResult(tool: ServerTool<never>, returned: unknown): Promise<CallToolResult> {
  if (returned instanceof ToolResult) {
    if (tool.output === undefined || returned.isError) return spelledOutResult(returned)
    return spelledOutResult(returned, await conforming(tool, returned.structured))
  }
  return tool.output === undefined ? contentResult(returned) : structuredResult(await conforming(tool, returned))
}

/** The data, which must be what the output schema promises. */
async function conforming(tool: ServerTool<never>, data: unknown): Promise<unknown> {
  const parsed = await tool.output!.parse(data)
  if (parsed.ok && parsed.value !== undefined) return parsed.value
  const problem = parsed.ok ? 'nothing' : formatIssues(parsed.issues, 'result')
  throw new McpError('invalid_result', `Tool ${tool.name} returned what its output schema does not allow: ${problem}`)
}

/** What the model reads of an exception: what was meant for it, or an id that the operator can look up. */
function failed(call: Call, definition: Definition, name: string, thrown: unknown): CallToolResult {
  if (isForPeer(thrown)) throw thrown
  if (isToolError(thrown) || causedByClient(thrown)) return errorResult(thrown.message)
  // Whoever cancelled does not wait for an answer, and a handler that then gives up did what it should.
  if (call.request.cancelled) return errorResult('Cancelled')
  return errorResult(`Internal error (id ${definition.report(thrown, `tool ${name}`)})`)
}
