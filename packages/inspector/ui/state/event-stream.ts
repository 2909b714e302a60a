import { keyHeader } from './key.ts'

interface Listener {
  event(data: string): void
  /** The stream broke, and is opened again; or it was refused, and is not. */
  lost(isRefused: boolean): void
}

const firstPauseMs = 500
const longestPauseMs = 5_000

/** Reads the events of the backend, for as long as the page is open; a broken stream is resumed. */
export async function readEvents(listener: Listener, path = '/api/events'): Promise<void> {
  let last = ''
  let pauseMs = firstPauseMs
  for (;;) {
    try {
      const response = await fetch(path, { headers: { ...keyHeader, ...(last && { 'Last-Event-ID': last }) } })
      if (!response.ok) return listener.lost(true)
      for await (const { id, data } of eventsIn(response.body!)) {
        last = id
        pauseMs = firstPauseMs
        listener.event(data)
      }
    } catch {
      // The connection broke, which is handled below like a stream that ended.
    }
    listener.lost(false)
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
    pauseMs = Math.min(pauseMs * 2, longestPauseMs)
  }
}

async function* eventsIn(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<{ id: string; data: string }> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let parts: string[] = []
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    parts.push(value)
    // A large event comes in many pieces, and JSON has no line breaks: only the last piece is worth looking at.
    if (!value.includes('\n')) continue
    const blocks = parts.join('').split('\n\n')
    parts = [blocks.pop()!]
    for (const block of blocks) {
      const [, id = '', data] = /^(?:id: (.*)\n)?data: (.*)$/.exec(block) ?? []
      if (data !== undefined) yield { id, data }
    }
  }
}
