import { channel } from 'node:diagnostics_channel'
import { isMcpError, type StoreEvent } from '@tenon/sdk/server'
import type { Address } from './address.ts'

const published = channel('tenon:store')

/** The figures of one operation since the start. */
export interface OperationFigures {
  readonly count: number
  /** Those of them that failed. */
  readonly failed: number
  /** The time that all of them took together. */
  readonly totalMs: number
}

/** Counts the operations on Redis by their names. There are few names, and all are ours. */
export class Operations {
  readonly #figures = new Map<string, { count: number; failed: number; totalMs: number }>()
  readonly #place: Pick<StoreEvent, 'address' | 'port'>

  constructor({ at }: Address) {
    const place = at.kind === 'one' ? at.socket : at.places[0]!
    this.#place = 'path' in place ? { address: place.path } : { address: place.host, port: place.port }
  }

  async measure<T>(name: string, operation: Promise<T>): Promise<T> {
    const figures = this.#figures.get(name) ?? { count: 0, failed: 0, totalMs: 0 }
    this.#figures.set(name, figures)
    const started = performance.now()
    let errorType: string | undefined
    try {
      return await operation
    } catch (error) {
      figures.failed++
      errorType = isMcpError(error) ? error.code : 'Error'
      throw error
    } finally {
      const durationMs = performance.now() - started
      figures.count++
      figures.totalMs += durationMs
      if (published.hasSubscribers) this.#publish({ operation: name, durationMs, errorType })
    }
  }

  #publish(measured: Pick<StoreEvent, 'operation' | 'durationMs' | 'errorType'>): void {
    const event: StoreEvent = { system: 'redis', ...this.#place, ...measured }
    published.publish(event)
  }

  get figures(): { readonly [operation: string]: OperationFigures } {
    return Object.fromEntries([...this.#figures].map(([name, figures]) => [name, { ...figures }]))
  }
}
