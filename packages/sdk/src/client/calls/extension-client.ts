import { McpError } from '../../errors.ts'
import type { AskedParams, AskedResult, Extension, Methods } from '../../extension/extension.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import { formatIssues } from '../../schema/issues.ts'
import type { CompiledMethod } from '../../server/served-extension.ts'
import type { CallOptions, ServerDescription } from '../types.ts'

/** An extension on one connection. */
export interface ExtensionClient<M extends Methods> {
  /** The server's settings; undefined if it does not have the extension. */
  readonly settings: { readonly [setting: string]: unknown } | undefined
  /** Sends a request. Fails with `unsupported` before anything is sent if the server lacks the extension. */
  request<K extends keyof M & string>(
    method: K,
    params: AskedParams<M[K]>,
    options?: CallOptions,
  ): Promise<AskedResult<M[K]>>
}

/** The client that an extension is used on. */
interface ExtensionHost {
  readonly server: ServerDescription
  declares(id: string): boolean
  request(method: string, params: JsonObject, options: CallOptions): Promise<JsonObject>
}

export function extensionClient<M extends Methods>(extension: Extension<M>, host: ExtensionHost): ExtensionClient<M> {
  const { id, declaredBy, methods } = extension
  if (declaredBy === 'both' && !host.declares(id)) {
    throw new McpError('invalid_argument', `extension ${id}: give it to connect, as extensions: [extension.use()]`)
  }
  const settings = (): { readonly [setting: string]: unknown } | undefined => {
    const { extensions } = host.server.capabilities
    return extensions !== undefined && Object.hasOwn(extensions, id) ? extensions[id] : undefined
  }
  return {
    get settings() {
      return settings()
    },
    async request(method, params, options = {}) {
      const schemas = methods.get(method)
      if (schemas === undefined) throw new McpError('invalid_argument', `extension ${id} has no method ${method}`)
      if (settings() === undefined) throw lacking(id, host.server)
      await checkParams(method, schemas, params)
      return readResult(method, schemas, await host.request(method, params as JsonObject, options)) as never
    },
  }
}

function lacking(id: string, { info }: ServerDescription): McpError {
  const who = info === undefined ? 'The server' : `The server ${JSON.stringify(info.name)}`
  return new McpError('unsupported', `${who} did not declare the extension ${id}`)
}

/** Only checked: the params are sent as the caller wrote them, without the changes of the schema. */
async function checkParams(method: string, { params }: CompiledMethod, given: unknown): Promise<void> {
  const parsed = await params?.parse(given)
  if (parsed === undefined || parsed.ok) return
  throw new McpError('invalid_argument', `${method} ${formatIssues(parsed.issues, 'params')}`)
}

async function readResult(method: string, schemas: CompiledMethod, answer: JsonObject): Promise<unknown> {
  // They belong to the protocol, not to the extension.
  const { _meta, resultType, ...result } = answer
  if (resultType !== undefined && resultType !== 'complete') {
    const found = JSON.stringify(resultType).slice(0, 40)
    throw new McpError('invalid_result', `${method} result.resultType: expected "complete", got ${found}`)
  }
  const parsed = await schemas.result?.parse(result)
  if (parsed === undefined) return result
  if (parsed.ok) return parsed.value
  throw new McpError('invalid_result', `${method} ${formatIssues(parsed.issues, 'result')}`)
}
