/** Events of several sources, read one after the other. */
export interface EventQueue<Event> extends AsyncIterable<Event> {
  push(event: Event): void
  /** Replaces the unread event with the same key, so that a fast source cannot fill the memory of a slow reader. */
  pushLatest(key: string, event: Event): void
  end(): void
}

export function createEventQueue<Event>(): EventQueue<Event> {
  const waiting: { key?: string; event: Event }[] = []
  let ended = false
  let wake = (): void => {}
  const add = (item: { key?: string; event: Event }): void => {
    waiting.push(item)
    wake()
  }
  return {
    push: (event) => add({ event }),
    pushLatest(key, event) {
      const unread = waiting.find((item) => item.key === key)
      if (unread) unread.event = event
      else add({ key, event })
    },
    end() {
      ended = true
      wake()
    },
    async *[Symbol.asyncIterator]() {
      while (true) {
        const next = waiting.shift()
        if (next) yield next.event
        else if (ended) return
        else await new Promise<void>((resolve) => (wake = resolve))
      }
    },
  }
}
