import type { JsonObject } from '../jsonrpc/message.ts'
import type { RequestEvent } from './events.ts'

/** The tool, prompt or resource of a request, if its params are well-formed. */
export function requestSubject(method: string, params: JsonObject | undefined): Pick<RequestEvent, 'name' | 'uri'> {
  switch (method) {
    case 'tools/call':
    case 'prompts/get':
      return { name: text(params?.name), uri: undefined }
    case 'resources/read':
    case 'resources/subscribe':
    case 'resources/unsubscribe':
      return { name: undefined, uri: text(params?.uri) }
    default:
      return { name: undefined, uri: undefined }
  }
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
