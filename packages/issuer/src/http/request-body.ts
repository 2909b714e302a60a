import { isDeeper } from './json.ts'
import { invalidRequest, OAuthRefusal } from './responses.ts'

const maxBytes = 64 * 1024
const maxDepth = 16

/** Parameters by name. */
export type Parameters = ReadonlyMap<string, string>

/** A form of a POST request. */
export async function readForm(request: Request): Promise<Parameters> {
  assertType(request, 'application/x-www-form-urlencoded')
  return parametersOf(new URLSearchParams(await readText(request)))
}

export async function readJsonBody(request: Request): Promise<unknown> {
  assertType(request, 'application/json')
  const text = await readText(request)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw invalidRequest('The body is not JSON')
  }
  if (isDeeper(value, maxDepth)) throw invalidRequest(`The body nests deeper than ${maxDepth} levels`)
  return value
}

/** RFC 6749 section 3.1: a parameter without a value is none, and one that comes twice is a mistake. */
export function parametersOf(search: URLSearchParams): Parameters {
  const parameters = new Map<string, string>()
  for (const [name, value] of search) {
    if (parameters.has(name)) throw invalidRequest(repeated(name))
    parameters.set(name, value)
  }
  return new Map([...parameters].filter(([, value]) => value !== ''))
}

const repeated = (name: string): string =>
  name === 'resource' ? 'Only one resource can be asked for at a time' : 'A parameter comes twice'

function assertType(request: Request, expected: string): void {
  const [type = ''] = (request.headers.get('content-type') ?? '').toLowerCase().split(';')
  if (type.trim() !== expected) throw new OAuthRefusal('invalid_request', `Expected a body of type ${expected}`, 415)
}

async function readText(request: Request): Promise<string> {
  if (request.body === null) return ''
  const decoder = new TextDecoder()
  let size = 0
  let text = ''
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.length
    if (size > maxBytes) throw new OAuthRefusal('invalid_request', `The body is larger than ${maxBytes} bytes`, 413)
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}
