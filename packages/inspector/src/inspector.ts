import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { visible } from '@tenon/sdk/display'
import { beginWorkbench } from './kept/begin.ts'
import { Keys } from './page/keys.ts'
import { pageListener } from './page/listener.ts'
import { sandboxListener } from './page/sandbox-listener.ts'
import type { ServerSpec } from './protocol.ts'
import { readSpec } from './servers/read-spec.ts'

export type * from './protocol.ts'

/** How the workbench is started. */
export interface InspectorOptions {
  /** Servers to begin with. Whoever calls this has chosen them: their commands are started without asking. */
  servers?: readonly ServerSpec[]
  /** Any free one by default. */
  port?: number
  /** Whether the servers are connected at once. True. */
  connect?: boolean
  /** Where servers are kept, and their secrets if there is no keychain. `tenon` in the folder of this person's configuration. */
  folder?: string
  /** The folder of saved calls. `calls` in `folder`. */
  calls?: string
  /** Begins without the servers that were kept, and keeps none, nor any secret. False. */
  fresh?: boolean
  /** Gets what goes wrong while the page is answered. Default: it is written to standard error. */
  onError?: (error: unknown) => void
}

/** A running workbench. */
export interface Inspector extends AsyncDisposable {
  /** The link to the page. It works once: the browser that opens it is the one that is let in. */
  readonly url: string
  /** Another such link, for another browser. */
  newUrl(): string
  /** Ends every connection and the page; server processes are gone when this resolves. */
  close(): Promise<void>
}

/**
 * Starts the workbench: a page on this machine that connects to servers and shows what they do.
 *
 * @example
 * const { url } = await startInspector({ servers: [{ kind: 'command', name: 'mine', command: 'node', args: ['server.js'] }] })
 */
export async function startInspector(options: InspectorOptions = {}): Promise<Inspector> {
  const specs = (options.servers ?? []).map(readSpec)
  const { bench, connect } = await beginWorkbench({ ...options, servers: specs })
  const { onError = tellTerminal } = options
  const http = createServer({ maxHeaderSize: 16_384 })
  const port = await listen(http, options.port ?? 0)
  const hosts = new Set([`127.0.0.1:${port}`, `localhost:${port}`])
  const sandbox = createServer({ maxHeaderSize: 32_768 })
  const sandboxPort = await listen(sandbox, 0)
  const origins = [...hosts].map((host) => `http://${host}`)
  sandbox.on('request', sandboxListener(sandboxPort, origins, onError))
  bench.sandbox = `http://127.0.0.1:${sandboxPort}/`
  const keys = new Keys(port)
  http.on('request', pageListener(bench, { hosts, keys }, onError))
  if (options.connect ?? true) connect()
  const newUrl = (): string => `http://127.0.0.1:${port}/?token=${keys.newToken()}`
  const close = async (): Promise<void> => {
    for (const server of [http, sandbox]) {
      server.close()
      server.closeAllConnections()
    }
    await bench.close()
  }
  return { url: newUrl(), newUrl, close, [Symbol.asyncDispose]: close }
}

const tellTerminal = (error: unknown): void =>
  console.error(visible(error instanceof Error ? (error.stack ?? error.message) : String(error)))

/** Other machines can never reach it: whoever reaches it can start programs. */
const listen = (server: Server, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host: '127.0.0.1', port, exclusive: true }, () => {
      server.off('error', reject)
      resolve((server.address() as AddressInfo).port)
    })
  })
