import { isObject } from '../../jsonrpc/classify.ts'
import { MemoryBus } from '../stores/memory-bus.ts'
import type { Bus } from '../stores/stores.ts'

/** A message of a bus among other messages between the processes. */
interface IpcMessage {
  'tenon:bus': { topic: string; message: string }
}

/** Reaches the listeners of this process, and over IPC those of the others. */
export class IpcBus implements Bus {
  readonly #here = new MemoryBus()
  readonly #send: (message: IpcMessage) => void

  constructor(send: (message: IpcMessage) => void) {
    this.#send = send
  }

  publish(topic: string, message: string): void {
    this.#send({ 'tenon:bus': { topic, message } })
    this.#here.publish(topic, message)
  }

  subscribe(topic: string, listener: (message: string) => void): () => void {
    return this.#here.subscribe(topic, listener)
  }

  /** Takes a message of another process. False if it is something else. */
  receive(value: unknown): boolean {
    const carried = isObject(value) ? value['tenon:bus'] : undefined
    if (!isObject(carried)) return false
    const { topic, message } = carried
    if (typeof topic !== 'string' || typeof message !== 'string') return false
    this.#here.publish(topic, message)
    return true
  }
}
