import { builtin } from '../internal/builtin.ts'
import type { StoreEvent } from '../telemetry/events.ts'

/** Listens to operations on stores, whichever package makes them. Returns the undo. */
export function onStoreOperation(listener: (event: StoreEvent) => void): () => void {
  const channel = builtin('node:diagnostics_channel')?.channel('tenon:store')
  const received = (message: unknown): void => listener(message as StoreEvent)
  channel?.subscribe(received)
  return () => void channel?.unsubscribe(received)
}
