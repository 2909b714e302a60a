import { untilAborted } from '../../internal/abort.ts'
import type { Hold } from '../../internal/budget.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import { metaKeys } from '../../model/meta.ts'
import type { CallerState } from '../caller-state.ts'
import { boundedIdentity } from '../client-identity.ts'
import type { Call } from '../dispatch/call.ts'
import type { MountedParts, PartsListening } from '../mounted-parts.ts'
import { ChangeNotifier, type ChangeSubscriber } from './change-notifier.ts'
import { endWatches } from './end-watches.ts'
import type { OpenSubscription } from './open-subscriptions.ts'
import { subscriptionBytes } from './subscription-limits.ts'
import type { ChangeSource, TopicSelection } from './topics.ts'

/** The heap of a subscription besides its names: its stream, its notifier and its signal. */
const listenBytes = 1_536

/** Sends the notifications of a subscription; the result comes only when the server ends it. */
export function answerListen(call: Call, definition: ChangeSource, params: JsonObject): Promise<JsonObject> {
  const { request, caller, outlet } = call
  const identity = boundedIdentity(caller.client, caller.capabilities, 'subscriptions/listen params._meta')
  caller.client = identity.client
  const hold = definition.budget.need('subscriptions', listenBytes + identity.bytes)
  try {
    const place = outlet.listens!.add(request.id)
    const filter = params.notifications as JsonObject
    request.stand()
    // Apart: a function that waits keeps its arguments, and these are as large as the client likes.
    const begun: (() => void)[] = []
    const honoured = honour(definition, caller, filter, begun)
    const elsewhere = call.parts && listenElsewhere(call, call.parts, filter, honoured)
    return sendChanges(call, definition, { place, hold, begun, honoured, elsewhere })
  } catch (error) {
    hold.release()
    throw error
  }
}

interface Listening {
  readonly place: OpenSubscription
  readonly hold: Hold
  /** Ends the watching of the resources. */
  readonly begun: readonly (() => void)[]
  readonly honoured: Promise<ReadonlyMap<string, TopicSelection>>
  /** At mounted backends. */
  readonly elsewhere: Promise<PartsListening> | undefined
}

async function sendChanges(
  { request, caller, outlet }: Call,
  definition: ChangeSource,
  { place, hold, begun, honoured, elsewhere }: Listening,
): Promise<JsonObject> {
  const _meta = { [metaKeys.subscriptionId]: request.id }
  let notifier: ChangeNotifier | undefined
  let parts: PartsListening | undefined
  // At once: a client that makes room and asks again in the same breath shall find it.
  const gone = untilAborted(request.signal, () => {
    place.leave()
    hold.release()
  })
  try {
    const wants = await honoured
    parts = await elsewhere
    if (!hold.grow(bytesOf(wants))) throw definition.budget.usedUp('subscriptions')
    const subscriber: ChangeSubscriber = {
      listener: caller,
      wants: (field) => wants.get(field),
      tell: (method, params) => outlet.notify(method, caller.codec.encodeParams(method, { ...params, _meta }), request),
    }
    notifier = new ChangeNotifier(definition, subscriber)
    definition.onChange(notifier)
    await definition.joinBus()
    if (request.cancelled) return {}
    // In one go: nothing comes before the acknowledgement, and nothing that happens after it is missed.
    void subscriber.tell('notifications/subscriptions/acknowledged', {
      notifications: together(filterOf(wants), parts?.honoured),
    })
    notifier.open()
    parts?.open(subscriber.tell)
    await Promise.race([place.ended, gone])
    return { _meta }
  } finally {
    if (notifier !== undefined) definition.forget(notifier)
    notifier?.stop()
    parts?.stop()
    place.leave()
    hold.release()
    endWatches(begun, (error) => definition.report(error, 'watch'))
  }
}

/** Subscribes at mounted backends, except to the names that this server honours itself. */
async function listenElsewhere(
  call: Call,
  parts: MountedParts,
  filter: JsonObject,
  honoured: Listening['honoured'],
): Promise<PartsListening> {
  const wants = await honoured
  const rest = Object.entries(filter).map(([field, asked]): [string, unknown] => {
    const own = wants.get(field)
    return [field, Array.isArray(asked) && own instanceof Set ? asked.filter((name) => !own.has(name)) : asked]
  })
  return parts.listen(call, Object.fromEntries(rest))
}

/** Two honoured parts of a filter as one. */
function together(own: JsonObject, more: JsonObject = {}): JsonObject {
  const all = { ...own }
  for (const [field, names] of Object.entries(more)) {
    const known = all[field]
    all[field] = Array.isArray(known) && Array.isArray(names) ? [...known, ...names] : names
  }
  return all
}

async function honour(
  definition: ChangeSource,
  caller: CallerState,
  filter: JsonObject,
  begun: (() => void)[],
): Promise<ReadonlyMap<string, TopicSelection>> {
  const wants = new Map<string, TopicSelection>()
  for (const [field, topic] of definition.topics) {
    const asked = Object.hasOwn(filter, field) ? filter[field] : undefined
    if (asked === undefined) continue
    const wanted = await topic.honour(asked, caller, definition, begun)
    if (wanted !== undefined) wants.set(field, wanted)
  }
  return wants
}

function bytesOf(wants: ReadonlyMap<string, TopicSelection>): number {
  let bytes = 0
  for (const wanted of wants.values()) {
    if (wanted !== true) for (const name of wanted) bytes += subscriptionBytes(name)
  }
  return bytes
}

const filterOf = (wants: ReadonlyMap<string, TopicSelection>): JsonObject =>
  Object.fromEntries([...wants].map(([field, wanted]) => [field, wanted === true ? true : [...wanted]]))
