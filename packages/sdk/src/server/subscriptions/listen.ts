import type { JsonObject } from '../../jsonrpc/message.ts'
import { untilAborted } from '../../jsonrpc/until-aborted.ts'
import { metaKeys } from '../../model/meta.ts'
import type { Call } from '../call.ts'
import type { CallerState } from '../caller.ts'
import type { Definition } from '../definition.ts'
import { Announcer, type Audience } from './announcer.ts'
import type { Wanted } from './topics.ts'

/** Keeps telling the client what it asked for; the answer comes when the server ends that, and never otherwise. */
export async function listen(call: Call, definition: Definition, params: JsonObject): Promise<JsonObject> {
  const { request, caller, outlet } = call
  const place = outlet.listens!.add(request.id)
  request.standing = true
  const _meta = { [metaKeys.subscriptionId]: request.id }
  let announcer: Announcer | undefined
  // At once: a client that makes room and asks again in the same breath shall find it.
  const gone = untilAborted(request.signal, place.leave)
  try {
    const wants = await honour(definition, caller, params.notifications as JsonObject)
    const audience: Audience = {
      listener: caller,
      wants: (field) => wants.get(field),
      tell: (method, news) => outlet.notify(method, caller.codec.encodeParams(method, { ...news, _meta }), request),
    }
    announcer = new Announcer(definition, audience)
    definition.onChange(announcer)
    await definition.hearsOthers()
    if (request.cancelled) return {}
    // In one go: nothing comes before the acknowledgement, and nothing that happens after it is missed.
    void audience.tell('notifications/subscriptions/acknowledged', { notifications: filterOf(wants) })
    announcer.open()
    await Promise.race([place.ended, gone])
    return { _meta }
  } finally {
    if (announcer !== undefined) definition.forget(announcer)
    announcer?.stop()
    place.leave()
  }
}

async function honour(
  definition: Definition,
  caller: CallerState,
  filter: JsonObject,
): Promise<ReadonlyMap<string, Wanted>> {
  const wants = new Map<string, Wanted>()
  for (const [field, topic] of definition.topics) {
    const asked = Object.hasOwn(filter, field) ? filter[field] : undefined
    if (asked === undefined) continue
    const wanted = await topic.honour(asked, caller, definition)
    if (wanted !== undefined) wants.set(field, wanted)
  }
  return wants
}

const filterOf = (wants: ReadonlyMap<string, Wanted>): JsonObject =>
  Object.fromEntries([...wants].map(([field, wanted]) => [field, wanted === true ? true : [...wanted]]))
