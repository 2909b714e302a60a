import type { MaybePromise } from './maybe-promise.ts'

/** Handles an exception of a listener. Exceptions of these two are ignored. */
interface ListenerGuard<Args extends unknown[]> {
  /** Reports to the operator. */
  report(error: unknown): void
  /** Reports the failure to the peer, if it can still be reached; gets the arguments of the event. */
  answer?(...args: Args): void
}

type Short = [unknown?, unknown?, unknown?]

/**
 * Makes a listener of events that never throws. An exception that leaves a listener ends the process with all its
 * connections, so every listener to peers is wrapped in this, at the place of its registration. The same holds for the
 * promise of a listener, which nothing awaits: the returned listener never rejects.
 *
 * @example
 * server.on('connection', guardListener((socket) => greet(socket), { report, answer: (socket) => socket.destroy() }))
 */
export function guardListener<Args extends Short>(
  listener: (...args: Args) => unknown,
  guard: ListenerGuard<Args>,
): (...args: Args) => MaybePromise<void> {
  const settle = (error: unknown, args: Short): void => {
    quietly(() => guard.answer?.(...(args as Args)))
    quietly(() => guard.report(error))
  }
  // Without rest parameters, as they would make an array for every event.
  const call = listener as (...args: Short) => unknown
  const guarded = (one?: unknown, two?: unknown, three?: unknown): MaybePromise<void> => {
    try {
      const done = call(one, two, three)
      if (done instanceof Promise) return done.catch((error: unknown) => settle(error, [one, two, three]))
    } catch (error) {
      settle(error, [one, two, three])
    }
  }
  return guarded
}

function quietly(act: () => void): void {
  try {
    act()
  } catch {
    // The peer is gone, or the operator's error handler is broken: there is no one left to report to.
  }
}
