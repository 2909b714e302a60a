import type { Duplex } from 'node:stream'
import type { Client } from 'pg'

/** The part of the connection of `pg` with which a statement speaks the extended protocol. */
export interface Wire {
  readonly stream: Duplex
  parse(message: { text: string }): void
  describe(message: { type: 'S' }): void
  bind(message: { values: readonly (string | null)[] }): void
  execute(message: { rows: number }): void
  close(message: { type: 'P' }): void
  flush(): void
  sync(): void
  sendCopyFail(reason: string): void
  attachListeners(stream: Duplex): void
  on(event: string, listener: (message: never) => void): void
  off(event: string, listener: (message: never) => void): void
}

/** The types of `pg` leave out the connection of a client, and the numbers with which it can be cancelled. */
export const wireOf = (client: Client): Wire => (client as unknown as { connection: Wire }).connection

export const backendKeyOf = (client: Client): { processID: number; secretKey: number } =>
  client as unknown as { processID: number; secretKey: number }
