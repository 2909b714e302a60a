import { ErrorCode, RpcError } from '../../errors.ts'
import type { HttpRequest } from '../../http/request.ts'
import { isObject } from '../../jsonrpc/classify.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import { metaKeys } from '../../model/meta.ts'
import type { Definition } from '../../server/definition/definition.ts'
import { handshakeRefused, unsupportedVersion } from '../../server/stateless/request-meta.ts'
import { idOfRequest, refuseRequest, withRequestId } from '../checks/refusal.ts'
import type { HttpTransport, PostExchange, TransportContext } from '../http-transport.ts'

/** Stands for sessions where a server has stateless revisions only, and refuses clients that want one. */
export class NoSessions implements HttpTransport {
  readonly allow = 'POST'
  readonly open = {}
  readonly #definition: Definition

  constructor({ dispatcher }: TransportContext) {
    this.#definition = dispatcher.definition
  }

  owns(): boolean {
    return true
  }

  post({ request, reply, headers }: PostExchange, message: unknown): void {
    const error = this.#errorFor(request, message).toWire()
    refuseRequest(reply, withRequestId(idOfRequest(message), { status: 400, error }), headers)
  }

  #errorFor(request: HttpRequest, message: unknown): RpcError {
    const { method, params } = (isObject(message) ? message : {}) as { method?: unknown; params?: JsonObject }
    if (method === 'initialize') return handshakeRefused(this.#definition, params?.protocolVersion)
    const version = request.header('mcp-protocol-version')
    if (version !== undefined) return unsupportedVersion(this.#definition, version)
    return new RpcError(ErrorCode.HeaderMismatch, missingVersion)
  }
}

const missingVersion = `Header mismatch: MCP-Protocol-Version is missing, and params._meta["${metaKeys.protocolVersion}"] too`
