import type { CallerState } from '../caller-state.ts'
import type { Offers } from '../definition/offers.ts'
import { lazyHandlers } from '../features/lazy-handlers.ts'
import { endWatches } from './end-watches.ts'
import { subscriptionBytes } from './subscription-limits.ts'

/** The subscriptions of a caller, made with the first. */
export function subscriptionsOf(caller: CallerState, { budget }: Offers): NonNullable<CallerState['subscriptions']> {
  caller.subscriptions ??= { uris: new Set(), watches: new Map(), hold: budget.charge('subscriptions', 0) }
  return caller.subscriptions
}

/** Ends a subscription, if there is one. */
export function forgetSubscription({ subscriptions }: CallerState, definition: Offers, uri: string): void {
  if (!subscriptions?.uris.delete(uri)) return
  subscriptions.hold.set(subscriptions.hold.bytes - subscriptionBytes(uri))
  const end = subscriptions.watches.get(uri)
  subscriptions.watches.delete(uri)
  if (end !== undefined) endWatches([end], (error) => definition.report(error, 'watch'))
}

/** Takes over the subscriptions that a session has in other processes, which watch the resources. */
export function restoreSubscriptions(caller: CallerState, definition: Offers, uris: readonly string[]): void {
  const wanted = new Set(uris)
  for (const uri of [...(caller.subscriptions?.uris ?? [])])
    if (!wanted.has(uri)) forgetSubscription(caller, definition, uri)
  if (wanted.size === 0) return
  const { uris: known, hold } = subscriptionsOf(caller, definition)
  for (const uri of wanted) {
    if (known.has(uri)) continue
    known.add(uri)
    hold.set(hold.bytes + subscriptionBytes(uri))
  }
}

/** Watches the resources that only other processes have watched so far: the client listens here. */
export async function watchSubscriptions(caller: CallerState, definition: Offers): Promise<void> {
  const { uris, watches } = caller.subscriptions ?? {}
  for (const uri of [...(uris ?? [])]) {
    if (watches!.has(uri)) continue
    const end = await lazyHandlers((handlers) => handlers.beginWatch(caller, definition, uri))
    if (end === undefined) continue
    if (uris!.has(uri) && !watches!.has(uri)) watches!.set(uri, end)
    else endWatches([end], (error) => definition.report(error, 'watch'))
  }
}
