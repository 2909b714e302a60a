import type { IncomingMessage } from 'node:http'
import type { HttpRequest } from '../../http/request.ts'
import { monotonicMs } from '../../internal/monotonic-ms.ts'
import { reachOfHost } from '../address.ts'
import { networkOf } from '../network.ts'
import { Windows } from '../windows.ts'

/** How many bad tokens an address may send. */
export interface FailureOptions {
  /** Per window. Default 100. */
  max?: number
  /** Default 60 s. */
  windowMs?: number
  /**
   * The address of the client, if a proxy knows it. Default: the peer of the connection, if that is an address of the
   * internet; others are proxies more often than clients, and then all clients would share one limit.
   */
  address?: (request: HttpRequest) => string | undefined
}

const maxAddresses = 10_000

/** Counts failures by address: guessing tokens gets slow, and checking them cannot be used to keep the server busy. */
export class Failures {
  readonly #max: number
  readonly #addressOf: (request: HttpRequest) => string | undefined
  readonly #counts: Windows

  constructor({ max = 100, windowMs = 60_000, address = peerOf }: FailureOptions = {}) {
    this.#max = max
    this.#counts = new Windows(windowMs, maxAddresses)
    this.#addressOf = address
  }

  get size(): number {
    return this.#counts.size
  }

  addressOf(request: HttpRequest): string | undefined {
    const address = this.#addressOf(request)
    return address === undefined ? undefined : networkOf(address)
  }

  /** How long an address has to wait; 0 if it need not. */
  waitMs(address: string | undefined): number {
    if (address === undefined) return 0
    const { count, leftMs } = this.#counts.look(address, monotonicMs())
    return count < this.#max ? 0 : leftMs
  }

  add(address: string | undefined): void {
    if (address !== undefined) this.#counts.add(address, monotonicMs())
  }
}

function peerOf({ raw }: HttpRequest): string | undefined {
  const address = (raw as Partial<IncomingMessage>).socket?.remoteAddress
  return address !== undefined && reachOfHost(address) === 'public' ? address : undefined
}
