import type { JsonObject, RequestId } from '../jsonrpc/message.ts'
import type { ClientCapabilities } from '../model/capabilities.ts'
import type { LoggingLevel } from '../model/logging.ts'
import { type Implementation, metaKeys } from '../model/meta.ts'
import type { Codec } from '../wire/codec.ts'
import type { CallOptions } from './types.ts'

/** What a request of a revision without handshake says about its sender. */
export function requestEnvelope(
  codec: Codec,
  info: Implementation,
  capabilities: ClientCapabilities,
  logLevel?: LoggingLevel,
): JsonObject {
  if (codec.handshake) return {}
  return {
    [metaKeys.protocolVersion]: codec.revision,
    [metaKeys.clientCapabilities]: capabilities,
    [metaKeys.clientInfo]: info,
    ...(logLevel === undefined ? {} : { [metaKeys.logLevel]: logLevel }),
  }
}

/** Adds the `_meta` of a request, if there is anything to say in it. */
export function withMeta(params: JsonObject, id: RequestId, options: CallOptions, envelope: JsonObject): JsonObject {
  const meta = {
    ...(params._meta as JsonObject | undefined),
    ...options.meta,
    ...(options.onProgress === undefined ? {} : { [metaKeys.progressToken]: id }),
    ...envelope,
  }
  return Object.keys(meta).length === 0 ? params : { ...params, _meta: meta }
}
