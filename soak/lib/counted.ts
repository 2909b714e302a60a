import type { Channel, Payload } from '@tenon/sdk/client'

/** A channel that reports a second answer to a request: the client itself would ignore it. */
export function counted(channel: Channel, complain: (text: string) => void): Channel {
  const answered = new Set<unknown>()
  const look = (value: unknown): void => {
    const { id, method } = value as { id?: unknown; method?: unknown }
    if (id === undefined || method !== undefined) return
    if (answered.has(id)) complain(`request ${String(id)} was answered twice`)
    answered.add(id)
  }
  return {
    ...(channel.sendsAfterEnd !== undefined && { sendsAfterEnd: channel.sendsAfterEnd }),
    about: channel.about,
    send: (payload: Payload) => channel.send(payload),
    close: () => channel.close(),
    open: (receiver) =>
      channel.open({
        receive(value, sink) {
          look(value)
          receiver.receive(value, sink)
        },
        refuse: (refusal) => receiver.refuse(refusal),
        failed: (id, error) => receiver.failed?.(id, error),
        delayed: (id) => receiver.delayed?.(id),
        closed: (reason) => receiver.closed(reason),
      }),
  }
}
