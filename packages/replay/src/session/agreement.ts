import type { Implementation, JsonObject, Message } from '@tenon/sdk/client'
import { isObject } from '../json/is-object.ts'
import type { Session, SessionEvent } from './format.ts'

const versionKey = 'io.modelcontextprotocol/protocolVersion'
const clientKey = 'io.modelcontextprotocol/clientInfo'
const serverKey = 'io.modelcontextprotocol/serverInfo'

/** The client, the server and the revision of a session. */
export interface SessionAbout {
  client?: Implementation
  server?: Implementation
  revision: string
}

const asInfo = (value: unknown): Implementation | undefined =>
  isObject(value) && typeof value.name === 'string' ? (value as unknown as Implementation) : undefined

const metaOf = (message: JsonObject | undefined): JsonObject => (isObject(message?._meta) ? message._meta : {})

/** Finds the agreed revision in messages: of a handshake, or of a request that names it and succeeds. */
export class Agreement {
  readonly #open = new Map<string, { method: string; params: JsonObject }>()

  /** The agreement that this message completes, if any. */
  take(from: 'client' | 'server', message: Message): SessionAbout | undefined {
    if (typeof message !== 'object' || message === null) return undefined
    const { id } = message as { id?: unknown }
    // The id may be of any type.
    if (typeof id !== 'string' && typeof id !== 'number') return undefined
    if (from === 'client' && 'method' in message) {
      this.#open.set(String(id), { method: message.method, params: isObject(message.params) ? message.params : {} })
    }
    if (from === 'client' || !('result' in message) || !isObject(message.result)) return undefined
    const request = this.#open.get(String(id))
    this.#open.delete(String(id))
    if (request === undefined) return undefined
    return request.method === 'initialize'
      ? fromInitialize(request.params, message.result)
      : fromEnvelope(request.params, message.result)
  }

  /** Another connection begins. */
  reset(): void {
    this.#open.clear()
  }
}

function fromInitialize(
  { clientInfo }: JsonObject,
  { protocolVersion, serverInfo }: JsonObject,
): SessionAbout | undefined {
  return typeof protocolVersion === 'string' ? about(protocolVersion, clientInfo, serverInfo) : undefined
}

function fromEnvelope(params: JsonObject, result: JsonObject): SessionAbout | undefined {
  const meta = metaOf(params)
  const version = meta[versionKey]
  return typeof version === 'string' ? about(version, meta[clientKey], metaOf(result)[serverKey]) : undefined
}

function about(revision: string, client: unknown, server: unknown): SessionAbout {
  const [clientInfo, serverInfo] = [asInfo(client), asInfo(server)]
  return { revision, ...(clientInfo && { client: clientInfo }), ...(serverInfo && { server: serverInfo }) }
}

/** The participants and the revision of a session, from its header or its messages. */
export function aboutSession({ header, events }: Pick<Session, 'header' | 'events'>): SessionAbout | undefined {
  const agreement = new Agreement()
  const { client, server, revision } = header
  if (revision !== undefined) return about(revision, client, server)
  for (const event of events) {
    const found =
      event.kind === 'agreed' ? about(event.revision, event.client, event.server) : fromMessage(agreement, event)
    if (found !== undefined) return found
  }
  return undefined
}

function fromMessage(agreement: Agreement, event: SessionEvent): SessionAbout | undefined {
  if (event.kind !== 'message') return undefined
  for (const message of [event.payload].flat()) {
    const found = agreement.take(event.from, message)
    if (found !== undefined) return found
  }
  return undefined
}
