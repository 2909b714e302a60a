import type { JsonObject, RequestId } from '../../jsonrpc/message.ts'
import { metaKeys } from '../../model/meta.ts'
import { withMember } from '../../wire/change.ts'
import type { CallOptions } from '../types.ts'

/** Adds the `_meta` of a request, if there is anything to say in it. */
export function withMeta(
  params: JsonObject,
  id: RequestId,
  options: CallOptions,
  envelope: JsonObject | undefined,
): JsonObject {
  const { meta, onProgress } = options
  // Most calls add nothing to what the client says of itself, which is one object for all of them.
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
