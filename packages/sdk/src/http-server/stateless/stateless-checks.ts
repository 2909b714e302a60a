import { ErrorCode, RpcError } from '../../errors.ts'
import { decodeHeaderValue } from '../../http/header-values.ts'
import { mcpName } from '../../http/names.ts'
import { mismatch, type ParamHeaders, paramHeaders } from '../../http/param-headers.ts'
import type { HttpRequest } from '../../http/request.ts'
import { describe, isObject } from '../../jsonrpc/classify.ts'
import type { JsonObject, Request } from '../../jsonrpc/message.ts'
import { metaKeys } from '../../model/meta.ts'
import type { ConnectionInfo } from '../../server/caller.ts'
import type { Definition } from '../../server/definition/definition.ts'
import { type FoundTool, findTool } from '../../server/features/find-tool.ts'
import type { ServerTool } from '../../server/features/tool.ts'
import { callerOf } from '../../server/stateless/request-meta.ts'

/** Each throws an `RpcError` that is answered with 400. */
type StatelessCheck = (message: Request, request: HttpRequest) => void

/**
 * A request describes its caller: without that, nothing else about it can be judged. A proxy that routes by the header
 * must see the same version as the server that runs the request.
 */
const needVersion: StatelessCheck = ({ params }, request) => {
  const meta = params?._meta
  if (!isObject(meta)) throw wrongMeta('params._meta', 'an object', meta)
  const version = meta[metaKeys.protocolVersion]
  if (typeof version !== 'string') throw wrongMeta(metaPath(metaKeys.protocolVersion), 'a string', version)
  const capabilities = meta[metaKeys.clientCapabilities]
  if (!isObject(capabilities)) throw wrongMeta(metaPath(metaKeys.clientCapabilities), 'an object', capabilities)
  needEqual('MCP-Protocol-Version', request.header('mcp-protocol-version'), version)
}

const needMethodHeader: StatelessCheck = ({ method }, request) =>
  needEqual('Mcp-Method', request.header('mcp-method'), method)

const needNameHeader: StatelessCheck = ({ method, params }, request) => {
  const name = mcpName(method, params)
  if (name === undefined) return
  const header = request.header('mcp-name')
  needEqual('Mcp-Name', header === undefined ? undefined : decodeHeaderValue(header), name)
}

/** The checks before a request is run, in this order; the version itself comes after. */
export const statelessChecks: readonly StatelessCheck[] = [needVersion, needMethodHeader, needNameHeader]

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

/** Arguments that travel in headers too must be the same there. A tool that the caller cannot see is not checked. */
export function checkParams(
  definition: Definition,
  { method, params }: Request,
  request: HttpRequest,
  info: ConnectionInfo,
): void | Promise<void> {
  if (method !== 'tools/call') return
  const found = findTool(definition, params?.name)
  if (found === undefined) return
  const { params: headers } = annotationsOf(found.tool)
  if (headers.length === 0) return
  const problem = mismatch(headers, params?.arguments, (name) => request.header(name.toLowerCase()))
  if (problem === undefined) return
  const error = new RpcError(ErrorCode.HeaderMismatch, `Header mismatch: ${problem}`)
  if (found.tool.visible === undefined) throw error
  return throwIfVisible(definition, found, params!, info, error)
}

async function throwIfVisible(
  definition: Definition,
  { tool, owner }: FoundTool,
  params: JsonObject,
  info: ConnectionInfo,
  error: RpcError,
): Promise<void> {
  const caller = callerOf(definition, params, info)
  const visible = await owner.sees(caller, tool.visible)
  caller.dispose((failed) => definition.report(failed, 'context'))
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

const metaPath = (key: string): string => `params._meta["${key}"]`

const wrongMeta = (what: string, expected: string, found: unknown): RpcError =>
  new RpcError(ErrorCode.InvalidParams, `${what}: expected ${expected}, got ${describe(found)}`)
