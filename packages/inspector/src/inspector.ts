import { createServer } from 'node:http'
import { visible } from '@tenon/sdk/display'
import { beginWorkbench } from './kept/begin.ts'
import { Keys } from './page/keys.ts'
import { listen, listenOnLocalhost } from './page/listen.ts'
import { pageListener } from './page/listener.ts'
import { sandboxListener } from './page/sandbox-listener.ts'
import type { ServerSpec } from './protocol.ts'
import { readSpec } from './servers/read-spec.ts'

export type { OperatorApi } from './gateway/gateway-listener.ts'
export { type GatewayPage, type GatewayPageOptions, startGatewayPage } from './gateway/gateway-page.ts'
export type * from './protocol.ts'

/** How the workbench is started. */
export interface InspectorOptions {
  /** Servers to begin with. The caller has chosen them: their commands are started without asking. */
  servers?: readonly ServerSpec[]
  /** Any free one by default. */
  port?: number
  /** Whether the servers are connected at once. True. */
  connect?: boolean
  /** The folder of the server list, and of secrets if there is no keychain. `tenon` beside this person's configuration. */
  folder?: string
  /** The folder of saved calls. `calls` in `folder`. */
  calls?: string
  /** The folder of eval cases. `eval-cases` in `folder`. */
  evals?: string
  /** Begins without the servers that were kept, and keeps none, nor any secret. False. */
  fresh?: boolean
  /** Receives errors while the page is answered. Default: they are written to standard error. */
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
 * Starts the workbench: a page on this machine that connects to servers and shows their messages.
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
  const sandbox = await listenOnLocalhost(() => createServer({ maxHeaderSize: 32_768 }))
  const origins = [...hosts].map((host) => `http://${host}`)
  for (const server of sandbox.servers)
    server.on('request', sandboxListener(sandbox.port, origins, bench.violations, onError))
  bench.sandboxPort = sandbox.port
  const keys = new Keys(port)
  http.on('request', pageListener(bench, { hosts, keys }, onError))
  if (options.connect ?? true) connect()
  const newUrl = (): string => `http://127.0.0.1:${port}/?token=${keys.newToken()}`
  const close = async (): Promise<void> => {
    for (const server of [http, ...sandbox.servers]) {
      server.close()
      server.closeAllConnections()
    }
    await bench.close()
  }
  return { url: newUrl(), newUrl, close, [Symbol.asyncDispose]: close }
}

const tellTerminal = (error: unknown): void =>
  console.error(visible(error instanceof Error ? (error.stack ?? error.message) : String(error)))
