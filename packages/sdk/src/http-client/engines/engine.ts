/** One complete HTTP request. */
export interface OutgoingHttpRequest {
  method: 'POST' | 'GET' | 'DELETE'
  url: URL
  headers: { [name: string]: string }
  body?: string
  /** May be sent again when a kept connection turns out to be dead: running it twice would do no harm. */
  repeatable?: boolean
}

/** The head of a reply. */
export interface ReplyHead {
  status: number
  /** True if the body arrives decoded, despite `content-encoding`. */
  decoded?: boolean
  /** The value of a header, by its lower-case name. */
  header(name: string): string | undefined
  /** All headers, in the platform's form. */
  fields?: Headers | { [name: string]: string | string[] | undefined }
}

/** Reads a reply as it arrives. Its methods must not throw; `end` or `broken` is called once, last. */
export interface ReplyReader {
  head(head: ReplyHead): void
  chunk(bytes: Uint8Array): void
  end(): void
  broken(error: Error): void
}

/** A request in flight. */
export interface Sent {
  /** Ends it; the reader is not called any more. */
  abort(): void
}

/** Sends HTTP requests, and follows no redirects. */
export interface Engine {
  send(request: OutgoingHttpRequest, reader: ReplyReader): Sent
  /** Closes kept connections. */
  close(): void
}
