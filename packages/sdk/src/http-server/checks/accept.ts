import type { HttpRequest } from '../../http/request.ts'
import type { HttpSettings, ResponseMode } from '../options.ts'

/** Which forms of an answer a client takes. */
export interface Accepted {
  json: boolean
  sse: boolean
}

const both: Accepted = { json: true, sse: true }
const usual = 'application/json, text/event-stream'

/** Reads an `Accept` header. Without one everything is taken. */
export function readAccept(header: string | undefined): Accepted {
  if (header === undefined || header === usual) return both
  const accepted = { json: false, sse: false }
  for (const entry of header.split(',')) {
    const [range = '', ...parameters] = entry.split(';')
    if (parameters.some((parameter) => /^\s*q\s*=\s*0(?:\.0*)?\s*$/i.test(parameter))) continue
    const type = range.trim().toLowerCase()
    if (type === '*/*' || type === 'application/*' || type === 'application/json') accepted.json = true
    if (type === '*/*' || type === 'text/*' || type === 'text/event-stream') accepted.sse = true
  }
  return accepted
}

/** How a request is answered: as the client accepts, and as the option says where it accepts both. */
export function responseMode({ request, settings }: { request: HttpRequest; settings: HttpSettings }): ResponseMode {
  const { json, sse } = readAccept(request.header('accept'))
  if (!sse) return 'json'
  return json ? settings.responseMode : 'sse'
}
