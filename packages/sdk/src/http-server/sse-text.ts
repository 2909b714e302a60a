import type { ReplyHeaders } from './request.ts'

/** Proxies must neither keep events back nor change them. */
export const streamHeaders: ReplyHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
}

export const keepAliveText = ': keep-alive\n\n'

/** JSON has no line breaks outside of strings, and escapes them inside, so one `data` line holds it. */
export const eventText = (json: string, id?: string): string =>
  id === undefined ? `data: ${json}\n\n` : `id: ${id}\ndata: ${json}\n\n`

/** An event without a message: it tells a client what to say when it comes back, and when to come. */
export const primingText = (id: string, retryMs: number): string => `id: ${id}\nretry: ${retryMs}\ndata: \n\n`

export const retryText = (retryMs: number): string => `retry: ${retryMs}\n\n`
