import type { Target } from '@tenon/sdk/client'

/** Provides connections to the server that is being developed. */
export interface ServerSource {
  /** Makes the server of the files as they are now; the next connection gets that one. */
  renew(signal: AbortSignal): Promise<void>
  /** The target of a client: one that stays, or one that only lists the server's features. */
  target(stays: boolean): Target
  close(): Promise<void>
}
