import { ErrorCode, RpcError } from '../../errors.ts'
import { decodeHeaderValue } from '../../http/header-values.ts'
import { mcpName } from '../../http/names.ts'
import { mismatch, type ParamHeaders, paramHeaders } from '../../http/param-headers.ts'
import type { HttpRequest } from '../../http/request.ts'
import type { MaybePromise } from '../../internal/maybe-promise.ts'
import type { Request } from '../../jsonrpc/message.ts'
import { metaKeys } from '../../model/meta.ts'
import type { ConnectionInfo } from '../../server/caller.ts'
import type { CallerState } from '../../server/caller-state.ts'
import type { Definition } from '../../server/definition/definition.ts'
import { type FoundTool, findTool } from '../../server/features/find-tool.ts'
import type { ServerTool } from '../../server/features/tool.ts'
import { callerFrom, type RequestMeta, readRequestMeta } from '../../server/stateless/request-meta.ts'

/** The parts of a request that were looked at. */
export interface CheckedRequest {
  readonly meta: RequestMeta
  readonly tool: FoundTool | undefined
}

/**
 * Checks the description of the caller, without which nothing else about a request can be judged, and the headers: a proxy
 * that routes by them must see the same as the server that runs the request. Throws an `RpcError` that is answered with
 * 400; the version itself is checked later.
 */
export function checkHeaders({ method, params }: Request, request: HttpRequest): RequestMeta {
  const meta = readRequestMeta(params)
  needEqual('MCP-Protocol-Version', request.header('mcp-protocol-version'), meta[metaKeys.protocolVersion])
  needEqual('Mcp-Method', request.header('mcp-method'), method)
  const name = mcpName(method, params)
  if (name === undefined) return meta
  const header = request.header('mcp-name')
  needEqual('Mcp-Name', header === undefined ? undefined : decodeHeaderValue(header), name)
  return meta
}

function needEqual(header: string, found: string | undefined, expected: string): void {
  if (found?.trim() === expected || found === expected) return
  const problem = found === undefined ? 'is missing' : 'differs from the body'
  throw new RpcError(ErrorCode.HeaderMismatch, `Header mismatch: ${header} ${problem}`)
}

const annotations = new WeakMap<ServerTool<never>, ParamHeaders>()

/** The annotations of a tool, worked out once. */
function annotationsOf(tool: ServerTool<never>): ParamHeaders {
  let found = annotations.get(tool)
  if (found === undefined) {
    found = paramHeaders(tool.listed.inputSchema)
    annotations.set(tool, found)
  }
  return found
}

/** Clients drop a tool whose annotations are wrong, and say nothing to its author: so this does. */
export function reportAnnotations(definition: Definition): void {
  for (const tool of definition.tools) {
    for (const problem of annotationsOf(tool).problems) {
      definition.report(new Error(`Tool ${tool.name} cannot be used over HTTP: ${problem}`), 'http')
    }
  }
}

/** The tool that a request calls, if it is a call of one. */
export const calledTool = (definition: Definition, { method, params }: Request): FoundTool | undefined =>
  method === 'tools/call' ? findTool(definition, params?.name) : undefined

/** Arguments that travel in headers too must be the same there. A tool that the caller cannot see is not checked. */
export function checkArguments(
  definition: Definition,
  { meta, tool: found }: CheckedRequest,
  { params }: Request,
  request: HttpRequest,
  info: ConnectionInfo,
): MaybePromise<void> {
  if (found === undefined) return
  const { params: headers } = annotationsOf(found.tool)
  if (headers.length === 0) return
  const problem = mismatch(headers, params?.arguments, (name) => request.header(name.toLowerCase()))
  if (problem === undefined) return
  const error = new RpcError(ErrorCode.HeaderMismatch, `Header mismatch: ${problem}`)
  if (found.tool.visible === undefined) throw error
  return throwIfVisible(definition, found, callerFrom(definition, meta, info), error)
}

async function throwIfVisible(
  definition: Definition,
  { tool, owner }: FoundTool,
  caller: CallerState,
  error: RpcError,
): Promise<void> {
  const visible = await owner.sees(caller, tool.visible)
  definition.release(caller)
  if (visible) throw error
}

/** The status that goes with an error, where the revision ties one to it. */
export function statusOf(code: number): number {
  switch (code) {
    case ErrorCode.MethodNotFound:
      return 404
    case ErrorCode.HeaderMismatch:
    case ErrorCode.MissingRequiredClientCapability:
    case ErrorCode.UnsupportedProtocolVersion:
      return 400
    case ErrorCode.InsufficientScope:
      return 403
    default:
      return 200
  }
}
