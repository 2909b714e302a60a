import type { IncomingMessage } from 'node:http'
import { isLoopbackAddress } from '../http/hosts.ts'
import type { HttpRequest, RequestBody } from '../http/request.ts'
import type { RequestTarget } from '../http/request-target.ts'

/** A request for a WebSocket, in the form that authentication reads. */
export class UpgradeRequest implements HttpRequest {
  readonly method = 'GET'
  readonly raw: IncomingMessage
  readonly target: RequestTarget

  constructor(raw: IncomingMessage, target: RequestTarget) {
    this.raw = raw
    this.target = target
  }

  get onLoopback(): boolean {
    return isLoopbackAddress(this.raw.socket.localAddress)
  }

  header(name: string): string | undefined {
    return this.raw.headers[name] as string | undefined
  }

  async readBody(): Promise<RequestBody> {
    return { text: '' }
  }
}
