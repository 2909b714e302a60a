/** What a WebSocket tells its channel. */
export interface FrameEvents {
  text(text: string): void
  binary(): void
  /** Some of what was sent is out of our hands. */
  sent(): void
  /** The other side answered a ping, or sent one. */
  alive(): void
  /** Called once, last. */
  ended(code: number, reason: string, error?: Error): void
}

/** An open WebSocket, whoever implements it. */
export interface FrameSocket {
  /** Bytes that were sent and not yet taken. */
  readonly bufferedAmount: number
  listen(events: FrameEvents): void
  send(text: string): void
  close(code: number, reason: string): void
  /** Ends at once, where that is possible. */
  terminate(): void
  /** Calls `sent` from time to time until nothing is buffered; absent where it is called by itself. */
  watchBuffer?(): void
  /** Stops reading, so that the other side has to wait; absent where that is not possible. */
  hold?(): void
  release?(): void
  /** Tells how much of an unfinished message has come, each time that changes; absent where that is not known. */
  watchInput?(told: (bytes: number) => void): void
  /** Absent where it is not possible. */
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
