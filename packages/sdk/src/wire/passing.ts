import type { Side } from '../jsonrpc/channel.ts'
import type { JsonObject } from '../jsonrpc/message.ts'
import { metaKeys } from '../model/meta.ts'
import { revisions } from '../model/revision.ts'
import { isObject, omit } from './change.ts'
import type { Codec } from './codec.ts'
import { codecFor, isKnownRequest } from './codecs.ts'

/** True if any revision has this notification. */
const isNotification = (side: Side, method: string): boolean =>
  revisions.some((revision) => codecFor(revision).notifications[side].has(method))

/**
 * True if a notification can be sent: the revision has it, or no revision has it and it is custom. One with the name of a
 * request is not passed on: servers may run it as a request.
 */
export const canSay = (codec: Codec, side: Side, method: string): boolean =>
  codec.notifications[side].has(method) || (method !== '' && !isNotification(side, method) && !isKnownRequest(method))

/** A result in the model; one that the revision does not allow stays as it is. */
export function readAnswer(codec: Codec, method: string, answer: JsonObject, params: JsonObject): JsonObject {
  try {
    return codec.decodeResult(method, answer, params)
  } catch {
    return answer
  }
}

/** The reserved members of `_meta` that concern one hop only. */
const isReserved = (name: string): boolean => /^io\.modelcontextprotocol\//.test(name) && name !== metaKeys.relatedTask

/** A message without the parts that concern only its own hop. */
export function withoutHop(message: JsonObject, ...more: readonly string[]): JsonObject {
  const meta = message._meta
  if (!isObject(meta)) return message
  const names = Object.keys(meta).filter((name) => isReserved(name) || more.includes(name))
  if (names.length === 0) return message
  const rest = omit(meta, ...names)
  return Object.keys(rest).length === 0 ? omit(message, '_meta') : { ...message, _meta: rest }
}
