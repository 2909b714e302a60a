import { ErrorCode, McpError, RpcError } from '../../errors.ts'
import { isObject } from '../../jsonrpc/classify.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import { formatIssues } from '../../schema/bridge.ts'
import type { Call } from '../dispatch/call.ts'
import type { CompiledMethod, ServedExtension } from '../served-extension.ts'
import type { HandlerOwner } from './handler-owner.ts'

/** One method of an extension, and who answers it. */
export interface ExtensionMethod {
  readonly served: ServedExtension<never>
  readonly schemas: CompiledMethod
  readonly handler: (params: never, ctx: never) => unknown
}

/** The methods of all extensions of a server, by name. */
export function extensionMethods(extensions: readonly ServedExtension<never>[]): ReadonlyMap<string, ExtensionMethod> {
  const methods = new Map<string, ExtensionMethod>()
  const ids = new Set<string>()
  for (const served of extensions) {
    if (served?.kind !== 'served-extension') {
      throw new McpError('invalid_definition', 'createServer extensions: expected what extension(...).serve() returns')
    }
    const { id } = served.extension
    if (ids.has(id)) throw new McpError('invalid_definition', `extension ${JSON.stringify(id)} is served twice`)
    ids.add(id)
    for (const [name, schemas] of served.extension.methods) {
      if (methods.has(name)) throw new McpError('invalid_definition', `Two extensions have the method ${name}`)
      methods.set(name, { served, schemas, handler: served.handlers.get(name)! })
    }
  }
  return methods
}

/** Answers a method of an extension. */
export async function answerExtension(
  call: Call,
  owner: HandlerOwner,
  { served, schemas, handler }: ExtensionMethod,
): Promise<JsonObject> {
  const { method, params: { _meta, ...given } = {} } = call.request
  needDeclared(call, served)
  const params = schemas.params === undefined ? { ok: true as const, value: given } : await schemas.params.parse(given)
  if (!params.ok) throw new RpcError(ErrorCode.InvalidParams, `${method} ${formatIssues(params.issues, 'params')}`)
  const ctx = await call.contextOf(owner)
  const result = await handler(params.value as never, ctx as never)
  if (!isObject(result)) throw new McpError('invalid_result', `${method}: expected an object as result`)
  const checked = await schemas.result?.parse(result)
  if (checked === undefined) return result
  if (checked.ok) return checked.value as JsonObject
  throw new McpError('invalid_result', `${method} ${formatIssues(checked.issues, 'result')}`)
}

function needDeclared({ caller, request }: Call, { extension }: ServedExtension<never>): void {
  if (extension.declaredBy === 'server' || declares(caller.capabilities.extensions, extension.id)) return
  const problem = `${request.method} needs the extension ${extension.id}, which the client did not declare`
  const refused = caller.conversation.undeclaredExtension(problem, extension.id)
  if (refused !== undefined) throw refused
}

const declares = (extensions: object | undefined, id: string): boolean =>
  extensions !== undefined && Object.hasOwn(extensions, id)
