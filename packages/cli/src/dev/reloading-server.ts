import { type Bridge, bridge } from '@tenon/bridge'
import { type Client, connect } from '@tenon/sdk/client'
import type { Caller } from '@tenon/sdk/server'
import { version } from '../version.ts'
import type { ServerSource } from './process/server-source.ts'
import type { DevView } from './view/dev-view.ts'
import { Exchanges } from './view/exchanges.ts'

/** The current server and its features. */
export interface ServerSummary {
  name: string
  version: string
  revision: string
  tools: { name: string; inputSchema: { [keyword: string]: unknown } }[]
  resources: number
  prompts: number
}

/**
 * A server that is reloaded when its files change, behind a bridge that stays. Clients stay connected, and their
 * requests wait until the server is ready.
 */
export class ReloadingServer {
  readonly bridge: Bridge
  readonly #source: ServerSource
  readonly #view: DevView
  #up = gate()
  #isUp = false
  #attempt = new AbortController()
  #reloaded: Promise<void> = Promise.resolve()
  /** The attempt whose failure was explained already. */
  #explained: AbortController | undefined
  #connections = 0

  constructor(source: ServerSource, view: DevView) {
    this.#source = source
    this.#view = view
    this.bridge = bridge((caller) => this.#upstream(caller), {
      name: 'tenon-dev',
      version,
      onEvent: (event) => {
        if (event.kind === 'lost' && this.#isUp) view.crashed(withoutOutput(event.reason.message))
      },
      onError: (error) => view.problem(error instanceof Error ? error.message : String(error)),
    })
  }

  get isUp(): boolean {
    return this.#isUp
  }

  /** Makes the server of the files as they are now. A newer call takes the place of an older one. */
  reload(): Promise<void> {
    this.#attempt.abort()
    this.#attempt = new AbortController()
    this.#reloaded = this.#reload(this.#attempt, this.#reloaded)
    return this.#reloaded
  }

  async #reload(attempt: AbortController, earlier: Promise<void>): Promise<void> {
    if (this.#isUp) {
      this.#isUp = false
      this.#up = gate()
      void this.bridge.restart().catch(() => {})
    }
    // The processes of an earlier attempt are gone before the next one starts.
    await earlier
    if (attempt.signal.aborted) return
    try {
      await this.#source.renew(attempt.signal)
      const ready = await this.#look(attempt.signal)
      if (attempt.signal.aborted) return
      this.#isUp = true
      this.#up.open()
      this.#view.ready(ready)
    } catch (error) {
      if (attempt.signal.aborted || this.#explained === attempt) return
      this.#view.failed(withoutOutput(error instanceof Error ? error.message : String(error)))
    }
  }

  /** Shows why the server is not ready, before the attempt times out. */
  explain(why: string, hint: string): void {
    if (this.#isUp || this.#explained === this.#attempt) return
    this.#explained = this.#attempt
    this.#view.failed(why, hint)
  }

  async close(): Promise<void> {
    this.#attempt.abort()
    this.#up.refuse(new Error('tenon dev has ended'))
    await this.#reloaded
    await this.bridge.close()
    await this.#source.close()
  }

  async #upstream({ client }: Caller): Promise<{ target: ReturnType<ServerSource['target']>; connect: object }> {
    await this.#up.passed
    this.#connections += 1
    const label = client?.name ?? `client ${this.#connections}`
    const exchanges = new Exchanges((exchange) => this.#view.exchange(exchange, label))
    return { target: this.#source.target(true), connect: { onMessage: exchanges.take } }
  }

  /** Starts the server once to check that it works, and to list its features. */
  async #look(signal: AbortSignal): Promise<ServerSummary> {
    const client = await connect(this.#source.target(false), {
      info: { name: 'tenon-dev', version },
      signal,
      timeoutMs: 10_000,
    })
    try {
      return await describe(client)
    } finally {
      await client.close()
    }
  }
}

/** The end of a server in few words: its standard error has been shown, line by line, and the program is this one's. */
const withoutOutput = (message: string): string =>
  message
    .replace(/; last stderr: [\s\S]*$/, '')
    .replace(/Server process '.*' (?=exited|was ended|closed)/s, 'The server ')

async function describe(client: Client): Promise<ServerSummary> {
  const { info, revision, capabilities } = client.server
  const tools = capabilities.tools ? (await client.listTools()).tools : []
  return {
    name: info?.name ?? 'server',
    version: info?.version ?? '',
    revision,
    tools,
    resources: capabilities.resources ? (await client.listResources()).resources.length : 0,
    prompts: capabilities.prompts ? (await client.listPrompts()).prompts.length : 0,
  }
}

interface Gate {
  readonly passed: Promise<void>
  open(): void
  refuse(reason: Error): void
}

function gate(): Gate {
  let open = (): void => {}
  let refuse = (_reason: Error): void => {}
  const passed = new Promise<void>((resolve, reject) => {
    open = resolve
    refuse = reject
  })
  // There may be no waiting request.
  passed.catch(() => {})
  return { passed, open, refuse }
}
