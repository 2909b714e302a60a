/** A scripted peer, for messages that no library would send. */
import type { Channel, JsonObject, Payload, Receiver } from '@tenon/sdk/client'

export interface Script {
  /** The messages that the peer received, in order. */
  heard: JsonObject[]
  send(message: JsonObject): void
  /** For `connect`, or for `bridge.connect`. */
  channel: Channel
}

/** `respond` gets every message; its return value is sent back with the id of a request. */
export function scripted(respond: (message: JsonObject, script: Script) => JsonObject | undefined): Script {
  let receiver: Receiver | undefined
  const early: JsonObject[] = []
  const script: Script = {
    heard: [],
    send: (message) => {
      const whole = { jsonrpc: '2.0', ...message }
      if (receiver === undefined) early.push(whole)
      else receiver.receive(structuredClone(whole))
    },
    channel: {
      open: (opened) => {
        receiver = opened
        for (const message of early.splice(0)) opened.receive(message)
      },
      send: (payload: Payload) => {
        for (const message of [payload].flat() as unknown as JsonObject[]) {
          script.heard.push(structuredClone(message))
          queueMicrotask(() => {
            const answer = respond(message, script)
            if (answer !== undefined) script.send({ id: message.id, ...answer })
          })
        }
      },
      close: async () => receiver?.closed(),
    },
  }
  return script
}
