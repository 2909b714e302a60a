/** One HTTP request, whole. */
export interface OutgoingHttpRequest {
  method: 'POST' | 'GET' | 'DELETE'
  url: URL
  headers: { [name: string]: string }
  body?: string
  /** May be sent again when a connection that was kept turns out to be dead: running it twice would do no harm. */
  repeatable?: boolean
}

/** What comes before the body of a reply. */
export interface ReplyHead {
  status: number
  /** True if the body arrives decoded, whatever `content-encoding` says. */
  decoded?: boolean
  /** The value of a header, whose name is given in lower case. */
  header(name: string): string | undefined
  /** All headers, as the platform has them. */
  fields?: Headers | { [name: string]: string | string[] | undefined }
}

/** Takes a reply as it arrives. Its methods must not throw; `end` or `broken` is called once, last. */
export interface ReplyReader {
  head(head: ReplyHead): void
  chunk(bytes: Uint8Array): void
  end(): void
  broken(error: Error): void
}

/** A request that was sent. */
export interface Sent {
  /** Ends it; the reader hears nothing any more. */
  abort(): void
}

/** Sends HTTP requests, and follows no redirects. */
export interface Engine {
  send(request: OutgoingHttpRequest, reader: ReplyReader): Sent
  /** Lets go of connections that are kept. */
  close(): void
}
