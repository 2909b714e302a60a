import { createServer } from 'node:http'
import { Keys } from '../page/keys.ts'
import { listen } from '../page/listen.ts'
import { gatewayListener, type OperatorApi } from './gateway-listener.ts'

export interface GatewayPageOptions {
  /** The API of the gateway's operators, and its token. The browser gets to see neither. */
  readonly api: OperatorApi
  /** Any free one by default. */
  readonly port?: number
  readonly onError?: (error: unknown) => void
}

/** A running page of a gateway. */
export interface GatewayPage extends AsyncDisposable {
  /** The link to the page. It works once: the browser that opens it is the one that is let in. */
  readonly url: string
  /** Another such link, for another browser. */
  newUrl(): string
  close(): Promise<void>
}

/**
 * Starts the workbench for a gateway: servers with health, the catalogue as a caller sees it, reasons of decisions,
 * approvals, the audit log and live traffic.
 *
 * @example
 * const { url } = await startGatewayPage({ api: await serveOperator(gateway) })
 */
export async function startGatewayPage(options: GatewayPageOptions): Promise<GatewayPage> {
  const { api, onError = () => {} } = options
  const http = createServer({ maxHeaderSize: 16_384 })
  const port = await listen(http, options.port ?? 0)
  const keys = new Keys(port)
  const hosts = new Set([`127.0.0.1:${port}`, `localhost:${port}`])
  http.on('request', gatewayListener(api, { hosts, keys }, onError))
  const newUrl = (): string => `http://127.0.0.1:${port}/?token=${keys.newToken()}`
  const close = async (): Promise<void> => {
    http.close()
    http.closeAllConnections()
  }
  return { url: newUrl(), newUrl, close, [Symbol.asyncDispose]: close }
}
