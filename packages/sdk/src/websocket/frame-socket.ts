/** The events of a WebSocket that a channel handles. */
export interface FrameEvents {
  text(text: string): void
  binary(): void
  /** Some of the buffered bytes were written. */
  sent(): void
  /** The peer answered a ping, or sent one. */
  alive(): void
  /** Called once, last. */
  ended(code: number, reason: string, error?: Error): void
}

/** An open WebSocket of any implementation. */
export interface FrameSocket {
  /** Bytes that were sent and not yet written. */
  readonly bufferedAmount: number
  listen(events: FrameEvents): void
  send(text: string): void
  close(code: number, reason: string): void
  /** Ends at once, if the platform can. */
  terminate(): void
  /** Calls `sent` from time to time until nothing is buffered; absent if the platform calls it. */
  watchBuffer?(): void
  /** Stops reading, so that the peer has to wait; absent if the platform cannot. */
  hold?(): void
  release?(): void
  /** Reports the size of an unfinished message, each time it changes; absent if it is unknown. */
  watchInput?(told: (bytes: number) => void): void
  /** Absent if the platform cannot. */
  ping?(): void
}

/** Close codes of RFC 6455 that are used here. */
export const CloseCode = {
  Normal: 1000,
  GoingAway: 1001,
  UnsupportedData: 1003,
  NoStatus: 1005,
  PolicyViolation: 1008,
  MessageTooBig: 1009,
  InternalError: 1011,
  TryAgainLater: 1013,
} as const

/** The subprotocol that both sides have to agree on. */
export const subprotocol = 'mcp'
