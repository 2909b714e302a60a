import { tool } from '../../server/features/tool.ts'
import type { AnyServer } from '../../server/server.ts'
import { createServer } from '../../server/server.ts'
import type { HttpOptions } from '../options.ts'

/** A server that is reached by HTTP requests, one way or another. */
export interface Served {
  fetch(path: string, init?: RequestInit): Promise<Response>
  close(): Promise<void>
}

export type Serve = (server: AnyServer, options?: HttpOptions) => Promise<Served>

export const statelessMeta = (capabilities: object = {}): object => ({
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': capabilities,
})

export const bothTypes = 'application/json, text/event-stream'

export type HeaderMap = { [name: string]: string | undefined }

/** A POST with the usual headers; undefined removes one. */
export function post(body: unknown, headers: HeaderMap = {}): RequestInit {
  const all: HeaderMap = { 'content-type': 'application/json', accept: bothTypes, ...headers }
  return {
    method: 'POST',
    headers: Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined),
    body: typeof body === 'string' ? body : JSON.stringify(body),
  }
}

/** A self-contained request with its headers. */
export function statelessRequest(
  method: string,
  params: { [member: string]: unknown } = {},
  headers: HeaderMap = {},
  id: number | string = 1,
): RequestInit {
  const name = (params.name ?? params.uri) as string | undefined
  return post(
    { jsonrpc: '2.0', id, method, params: { _meta: statelessMeta(), ...params } },
    { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...(name && { 'mcp-name': name }), ...headers },
  )
}

export const callToolRequest = (
  name: string,
  args: object = {},
  headers: HeaderMap = {},
  meta: object = {},
): RequestInit =>
  statelessRequest('tools/call', { name, arguments: args, _meta: { ...statelessMeta(), ...meta } }, headers)

export const initializeRequest = (protocolVersion = '2025-11-25', capabilities: object = {}): object => ({
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion, capabilities, clientInfo: { name: 'test', version: '1' } },
})

/** A client with a session, message by message. */
export class SessionClient {
  readonly #served: Served
  readonly headers: HeaderMap

  private constructor(served: Served, headers: HeaderMap) {
    this.#served = served
    this.headers = headers
  }

  static async open(
    served: Served,
    revision = '2025-11-25',
    headers: HeaderMap = {},
    capabilities: object = {},
  ): Promise<SessionClient> {
    const answer = await served.fetch('/mcp', post(initializeRequest(revision, capabilities), headers))
    const id = answer.headers.get('mcp-session-id')
    if (id === null) throw new Error(`no session: ${answer.status} ${await answer.text()}`)
    await answer.text()
    const client = new SessionClient(served, { ...headers, 'mcp-session-id': id, 'mcp-protocol-version': revision })
    const ready = await client.post({ jsonrpc: '2.0', method: 'notifications/initialized' })
    if (ready.status !== 202) throw new Error(`initialized: ${ready.status}`)
    return client
  }

  get id(): string {
    return this.headers['mcp-session-id']!
  }

  post(body: unknown, headers: HeaderMap = {}): Promise<Response> {
    return this.#served.fetch('/mcp', post(body, { ...this.headers, ...headers }))
  }

  call(name: string, args: object = {}, meta: object = {}, headers: HeaderMap = {}, id = 1): Promise<Response> {
    const params = { name, arguments: args, _meta: meta }
    return this.post({ jsonrpc: '2.0', id, method: 'tools/call', params }, headers)
  }

  get(headers: HeaderMap = {}, signal?: AbortSignal): Promise<Response> {
    const all = { accept: 'text/event-stream', ...this.headers, ...headers } as { [name: string]: string }
    return this.#served.fetch('/mcp', { method: 'GET', headers: all, ...(signal && { signal }) })
  }

  delete(headers: HeaderMap = {}): Promise<Response> {
    const all = { ...this.headers, ...headers } as { [name: string]: string }
    return this.#served.fetch('/mcp', { method: 'DELETE', headers: all })
  }
}

export interface ReadEvent {
  event?: string
  id?: string
  retry?: string
  data?: string
}

/** Reads the events of a stream one at a time. */
export class EventReader {
  readonly #reader: ReadableStreamDefaultReader<string>
  #text = ''
  readonly comments: string[] = []
  /** The id of the last event that had one. */
  lastEventId: string | undefined

  constructor(response: Response) {
    this.#reader = response.body!.pipeThrough(new TextDecoderStream() as never).getReader() as never
  }

  /** The next event, or undefined at the end of the stream. */
  async next(): Promise<ReadEvent | undefined> {
    for (;;) {
      const end = this.#text.indexOf('\n\n')
      if (end >= 0) {
        const block = this.#text.slice(0, end)
        this.#text = this.#text.slice(end + 2)
        if (!block.startsWith(':')) return this.#parsed(block)
        this.comments.push(block)
        continue
      }
      const { done, value } = await this.#reader.read()
      if (done) return undefined
      this.#text += value
    }
  }

  #parsed(block: string): ReadEvent {
    const event = parse(block)
    this.lastEventId = event.id ?? this.lastEventId
    return event
  }

  /** The next event that carries a message, parsed. */
  async message(): Promise<{ [member: string]: never } & { id?: number; method?: string; result?: object }> {
    for (;;) {
      const event = await this.next()
      if (event === undefined) throw new Error('the stream ended')
      if (event.data) return JSON.parse(event.data)
    }
  }

  async rest(): Promise<ReadEvent[]> {
    const events: ReadEvent[] = []
    for (let event = await this.next(); event !== undefined; event = await this.next()) events.push(event)
    return events
  }

  cancel(): Promise<void> {
    return this.#reader.cancel()
  }
}

function parse(block: string): ReadEvent {
  const fields = block.split('\n').map((line): [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')]
  })
  return Object.fromEntries(fields)
}

/** Something to wait for, which a test or a tool brings about. */
export interface Signal<T = void> {
  readonly seen: Promise<T>
  give(value: T): void
}

export function signal<T = void>(): Signal<T> {
  let give!: (value: T) => void
  const seen = new Promise<T>((resolve) => {
    give = resolve
  })
  return { seen, give }
}

/** The signals between a test and the tools of the test server. */
export interface ToolScript {
  started: Signal
  release: Signal
  aborted: Signal<unknown>
  errors: unknown[]
}

export function testServer(overrides: object = {}): { server: ReturnType<typeof createServer>; script: ToolScript } {
  const script: ToolScript = { started: signal(), release: signal(), aborted: signal<unknown>(), errors: [] }
  const server = createServer({
    name: 'http-test',
    version: '1.0.0',
    onError: (error: unknown) => script.errors.push(error),
    tools: [
      tool({
        name: 'echo',
        input: { type: 'object', properties: { text: { type: 'string' } } },
        run: (input) => `echo ${(input as { text?: string }).text ?? ''}`,
      }),
      tool({
        name: 'progress',
        async run(_input, ctx) {
          await ctx.progress(1, 2, 'half')
          await ctx.progress(2, 2, 'done')
          return 'finished'
        },
      }),
      tool({
        name: 'wait',
        async run(_input, ctx) {
          ctx.signal.addEventListener('abort', () => script.aborted.give(ctx.signal.reason))
          script.started.give()
          await script.release.seen
          return 'waited'
        },
      }),
      tool({
        name: 'progress_then_wait',
        async run(_input, ctx) {
          ctx.signal.addEventListener('abort', () => script.aborted.give(ctx.signal.reason))
          await ctx.progress(1)
          script.started.give()
          await script.release.seen
          await ctx.progress(2)
          return 'waited'
        },
      }),
      tool({
        name: 'ask',
        async run(_input, ctx) {
          const answer = await ctx.elicit('Name?', {
            type: 'object',
            properties: { name: { type: 'string' } },
            required: ['name'],
          })
          return answer.action === 'accept' ? `hello ${(answer.content as { name: string }).name}` : 'nobody'
        },
      }),
      tool({
        name: 'flood',
        async run(_input, ctx) {
          ctx.signal.addEventListener('abort', () => script.aborted.give(ctx.signal.reason))
          const message = 'x'.repeat(100_000)
          // Does not wait for a client that is slow, as handlers often do not.
          for (let i = 0; i < 1_000; i++) {
            void ctx.progress(i, 1_000, message)
            await new Promise((resolve) => setImmediate(resolve))
          }
          return 'flooded'
        },
      }),
      tool({ name: 'scopes', run: (_input, ctx) => (ctx.auth?.scopes ?? []).join(' ') }),
      tool({
        name: 'wait_scopes',
        async run(_input, ctx) {
          script.started.give()
          await script.release.seen
          return (ctx.auth?.scopes ?? []).join(' ')
        },
      }),
      tool({ name: 'whoami', run: (_input, ctx) => ctx.auth?.principal ?? 'nobody' }),
      tool({
        name: 'region',
        input: {
          type: 'object',
          properties: {
            region: { type: 'string', 'x-mcp-header': 'Region' },
            count: { type: 'integer', 'x-mcp-header': 'Count' },
          },
        },
        run: (input) => JSON.stringify(input),
      }),
    ],
    ...overrides,
  } as never)
  return { server, script }
}
