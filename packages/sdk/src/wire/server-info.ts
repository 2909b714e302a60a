import type { JsonObject } from '../jsonrpc/message.ts'
import type { Implementation } from '../model/meta.ts'
import { metaKeys } from '../model/meta.ts'
import { isObject, withMember } from './change.ts'
import { implementation } from './readers/common.ts'
import { Mismatch } from './readers/reader.ts'

/** The part of `_meta` that says who answered: made once, as every result carries it. */
export const serverInfoMeta = (info: Implementation): Readonly<JsonObject> =>
  Object.freeze({ [metaKeys.serverInfo]: info })

/** A result that says who answered, as results of 2026-07-28 do. */
export function withServerInfo(result: JsonObject, who: Readonly<JsonObject>): JsonObject {
  return withMember(result, '_meta', isObject(result._meta) ? { ...result._meta, ...who } : who)
}

/** Who answered, if the result says so. */
export function serverInfoOf(result: JsonObject): Implementation | undefined {
  const meta = isObject(result._meta) ? result._meta : {}
  const info = implementation(meta[metaKeys.serverInfo])
  return info instanceof Mismatch ? undefined : (info as Implementation)
}
