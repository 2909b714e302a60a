import { McpError } from '../../errors.ts'
import type { JsonObject, RequestId } from '../../jsonrpc/message.ts'
import { metaKeys } from '../../model/meta.ts'
import { type TraceContext, withTraceContext } from '../../telemetry/trace-context.ts'
import { withMember } from '../../wire/change.ts'
import type { Codec } from '../../wire/codec.ts'
import { assertPlainParams } from '../../wire/decode.ts'
import { toError } from '../options.ts'
import type { CallOptions } from '../types.ts'

/** The params of a request as they are sent. Params that a server would refuse are refused here. */
export function encodeRequestParams(
  codec: Codec,
  method: string,
  params: JsonObject,
  id: RequestId,
  options: CallOptions,
  envelope: JsonObject | undefined,
  trace?: TraceContext,
): JsonObject {
  const whole = withMeta(params, id, options, envelope)
  const body = codec.encodeParams(method, trace === undefined ? whole : withTraceContext(whole, trace))
  assertParams(codec, method, body, envelope)
  return body
}

/** Adds the `_meta` of a request, if it has any. */
function withMeta(
  params: JsonObject,
  id: RequestId,
  options: CallOptions,
  envelope: JsonObject | undefined,
): JsonObject {
  const { meta, onProgress } = options
  // Most calls have no `_meta` of their own, and share one envelope.
  if (!Object.hasOwn(params, '_meta') && meta === undefined && onProgress === undefined)
    return envelope === undefined ? params : { _meta: envelope, ...params }
  const said = {
    ...(params._meta as JsonObject | undefined),
    ...meta,
    ...(onProgress === undefined ? {} : { [metaKeys.progressToken]: id }),
    ...envelope,
  }
  return Object.keys(said).length === 0 ? params : withMember(params, '_meta', said)
}

function assertParams(codec: Codec, method: string, params: JsonObject, envelope: JsonObject | undefined): void {
  if (!codec.requests.client.has(method)) return
  try {
    // The envelope was checked when it was made.
    if (envelope !== undefined && params._meta === envelope) assertPlainParams(method, params)
    else codec.decodeParams(method, params)
  } catch (error) {
    throw new McpError('invalid_argument', toError(error).message, { cause: error })
  }
}
