import type { MaybePromise } from '../../internal/maybe-promise.ts'

/** Carries short messages between the processes that serve the same clients. */
export interface Bus {
  /** Reaches everybody who listens to the topic at this moment, this process included, in order. */
  publish(topic: string, message: string): MaybePromise<void>
  /**
   * Returns the way to stop. Fails with an `McpError` `unavailable` if messages cannot arrive at the moment: it is tried
   * again. A bus that may have lost messages meanwhile says so with `gap`.
   */
  subscribe(topic: string, listener: (message: string) => void, gap?: () => void): (() => void) | Promise<() => void>
}
