import type { JsonObject } from '../jsonrpc/message.ts'
import type { Implementation } from '../model/meta.ts'
import { metaKeys } from '../model/meta.ts'
import { isObject } from './change.ts'
import { implementation } from './read-common.ts'
import { Mismatch } from './reader.ts'

/** A result that says who answered, as results of 2026-07-28 do. */
export function withServerInfo(result: JsonObject, serverInfo: Implementation): JsonObject {
  const meta = isObject(result._meta) ? result._meta : {}
  return { ...result, _meta: { ...meta, [metaKeys.serverInfo]: serverInfo } }
}

/** Who answered, if the result says so. */
export function serverInfoOf(result: JsonObject): Implementation | undefined {
  const meta = isObject(result._meta) ? result._meta : {}
  const info = implementation(meta[metaKeys.serverInfo])
  return info instanceof Mismatch ? undefined : (info as Implementation)
}
