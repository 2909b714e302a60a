import type { JsonObject } from '../jsonrpc/message.ts'
import { metaKeys } from '../model/meta.ts'
import { revisions } from '../model/revision.ts'
import type { Side } from '../model/side.ts'
import { isObject, omit } from './change.ts'
import type { Codec } from './codec.ts'
import { codecFor } from './codecs.ts'

/** True if a notification of this name exists in any revision. */
const isNotification = (side: Side, method: string): boolean =>
  revisions.some((revision) => codecFor(revision).notifications[side].has(method))

/** True if it can be said: the revision has it, or it is nobody's but the two who know it. */
export const canSay = (codec: Codec, side: Side, method: string): boolean =>
  codec.notifications[side].has(method) || !isNotification(side, method)

/** A result in the words of the model; one that the revision does not allow stays as it is. */
export function readAnswer(codec: Codec, method: string, answer: JsonObject, params: JsonObject): JsonObject {
  try {
    return codec.decodeResult(method, answer, params)
  } catch {
    return answer
  }
}

/** Which of the reserved members of `_meta` mean something to others than the two who exchange the message. */
const isReserved = (name: string): boolean => /^io\.modelcontextprotocol\//.test(name) && name !== metaKeys.relatedTask

/** A message without what only its own hop is about. */
export function withoutHop(message: JsonObject, ...more: readonly string[]): JsonObject {
  const meta = message._meta
  if (!isObject(meta)) return message
  const names = Object.keys(meta).filter((name) => isReserved(name) || more.includes(name))
  if (names.length === 0) return message
  const rest = omit(meta, ...names)
  return Object.keys(rest).length === 0 ? omit(message, '_meta') : { ...message, _meta: rest }
}
