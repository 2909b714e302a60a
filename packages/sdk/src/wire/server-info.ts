import type { JsonObject } from '../jsonrpc/message.ts'
import type { Implementation } from '../model/meta.ts'
import { metaKeys } from '../model/meta.ts'
import { isObject, withMember } from './change.ts'
import { implementation } from './readers/common.ts'
import { Mismatch } from './readers/reader.ts'

/** The server's identity in `_meta`: created once, as every result carries it. */
export const serverInfoMeta = (info: Implementation): Readonly<JsonObject> =>
  Object.freeze({ [metaKeys.serverInfo]: info })

/** A result with the server's identity, as 2026-07-28 requires. */
export function withServerInfo(result: JsonObject, who: Readonly<JsonObject>): JsonObject {
  return withMember(result, '_meta', isObject(result._meta) ? { ...result._meta, ...who } : who)
}

/** The server's identity, if the result has it. */
export function serverInfoOf(result: JsonObject): Implementation | undefined {
  const meta = isObject(result._meta) ? result._meta : {}
  const info = implementation(meta[metaKeys.serverInfo])
  return info instanceof Mismatch ? undefined : (info as Implementation)
}
