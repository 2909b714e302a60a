import type { MaybePromise } from '../../internal/maybe-promise.ts'
import type { Bus } from '../stores/stores.ts'

/**
 * Listens to a topic of a bus, and returns the way to stop. A bus that fails is reported, and neither ends the process nor
 * keeps a server from closing: it may be a machine that is away.
 */
export function subscribeTo(
  bus: Bus,
  topic: string,
  listener: (message: string) => MaybePromise<void>,
  report: (error: unknown) => void,
): () => Promise<void> {
  const heard = (message: string): void => void quietly(() => listener(message), report)
  const subscribed = quietly(() => bus.subscribe(topic, heard), report)
  return async () => {
    const stop = await subscribed
    await quietly(() => stop?.(), report)
  }
}

async function quietly<T>(use: () => MaybePromise<T>, report: (error: unknown) => void): Promise<T | undefined> {
  try {
    return await use()
  } catch (error) {
    report(error)
    return undefined
  }
}
