import type { ReplyHeaders } from '../http/request.ts'
import type { Text } from '../transport/cached-text.ts'

/** Proxies must neither keep events back nor change them. */
export const streamHeaders: ReplyHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
}

export const keepAliveText = ': keep-alive\n\n'

/** JSON has no line breaks outside of strings, and escapes them inside, so one `data` line holds it. */
export const eventText = (json: Text, id?: string): Text =>
  event(id === undefined ? 'data: ' : `id: ${id}\ndata: `, json)

/** Events of HTTP+SSE have a name. */
export const messageText = (json: Text): Text => event('event: message\ndata: ', json)

const event = (start: string, json: Text): Text =>
  typeof json === 'string' ? `${start}${json}\n\n` : json.within(start, '\n\n')

/** An event without a message: it gives a client an id to resume from, and the delay before it reconnects. */
export const primingText = (id: string, retryMs: number): string => `id: ${id}\nretry: ${retryMs}\ndata: \n\n`

export const retryText = (retryMs: number): string => `retry: ${retryMs}\n\n`
