import { randomUUID } from 'node:crypto'

/** Keeps all events of a session, so that its streams can be resumed. */
export class EventStore {
  #events = []

  async storeEvent(streamId, message) {
    const id = randomUUID()
    this.#events.push({ id, streamId, message })
    return id
  }

  async getStreamIdForEventId(eventId) {
    return this.#events.find(({ id }) => id === eventId)?.streamId
  }

  async replayEventsAfter(lastEventId, { send }) {
    const at = this.#events.findIndex(({ id }) => id === lastEventId)
    const streamId = this.#events[at]?.streamId
    for (const event of this.#events.slice(at + 1)) {
      // An event without a message only opened the stream.
      if (event.streamId === streamId && event.message.jsonrpc) await send(event.id, event.message)
    }
    return streamId
  }
}
