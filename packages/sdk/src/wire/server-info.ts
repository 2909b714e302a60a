import type { JsonObject } from '../jsonrpc/message.ts'
import type { Implementation } from '../model/meta.ts'
import { metaKeys } from '../model/meta.ts'
import { isObject, withMember } from './change.ts'
import { implementation } from './read-common.ts'
import { Mismatch } from './reader.ts'

/** A result that says who answered, as results of 2026-07-28 do. */
export function withServerInfo(result: JsonObject, serverInfo: Implementation): JsonObject {
  const meta = isObject(result._meta)
    ? withMember(result._meta, metaKeys.serverInfo, serverInfo)
    : { [metaKeys.serverInfo]: serverInfo }
  return withMember(result, '_meta', meta)
}

/** Who answered, if the result says so. */
export function serverInfoOf(result: JsonObject): Implementation | undefined {
  const meta = isObject(result._meta) ? result._meta : {}
  const info = implementation(meta[metaKeys.serverInfo])
  return info instanceof Mismatch ? undefined : (info as Implementation)
}
