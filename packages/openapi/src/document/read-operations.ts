import type { ApiDocument } from './api-document.ts'
import { found, isObject, type JsonObject, listMember, member, objectMember, textMember } from './json.ts'
import { OpenApiError, step } from './openapi-error.ts'
import type { Answer, Operation, Parameter, Place, RequestBody, Requirement } from './operation.ts'
import { serverUrl } from './server-url.ts'

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']
const places: ReadonlySet<unknown> = new Set(['path', 'query', 'header', 'cookie'])
// The specification ignores the first three, and the rest belong to the connection.
const ownHeaders =
  /^(?:accept|content-type|authorization|host|cookie|connection|content-length|transfer-encoding|te|trailer|upgrade|expect|proxy-.*)$/i

/** Every operation of a document. One that cannot be read is reported, and the others are there all the same. */
export function readOperations(document: ApiDocument, report: (problem: OpenApiError) => void): Operation[] {
  const paths = member(document.root, 'paths')
  if (paths !== undefined && !isObject(paths))
    throw new OpenApiError('/paths', `expected an object, got ${found(paths)}`)
  return Object.keys(paths ?? {}).flatMap((path) => {
    if (!path.startsWith('/')) return []
    const pointer = `/paths${step(path)}`
    return attempt(report, () => {
      const item = document.resolve(member(paths, path), pointer)
      const present = methods.filter((method) => isObject(member(item.value, method)))
      return present.flatMap((method) =>
        attempt(report, () => [readOperation(document, path, method, item.value as JsonObject, item.pointer)]),
      )
    })
  })
}

function attempt<T>(report: (problem: OpenApiError) => void, read: () => T[]): T[] {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof OpenApiError)) throw error
    report(error)
    return []
  }
}

function readOperation(document: ApiDocument, path: string, method: string, item: JsonObject, at: string): Operation {
  const pointer = `${at}${step(method)}`
  const operation = member(item, method)
  const shared = readParameters(document, listMember(item, 'parameters'), `${at}/parameters`)
  const own = readParameters(document, listMember(operation, 'parameters'), `${pointer}/parameters`)
  // The operation's own parameters go before those of its path.
  const byKey = new Map([...shared, ...own].map((one) => [`${one.place} ${one.name}`, one]))
  const responses = objectMember(operation, 'responses')
  return {
    pointer,
    id: textMember(operation, 'operationId'),
    method,
    path,
    summary: textMember(operation, 'summary') ?? textMember(item, 'summary'),
    description: textMember(operation, 'description') ?? textMember(item, 'description'),
    tags: listMember(operation, 'tags').filter((tag) => typeof tag === 'string'),
    isDeprecated: member(operation, 'deprecated') === true,
    parameters: [...byKey.values()],
    body: readBody(document, member(operation, 'requestBody'), `${pointer}/requestBody`),
    success: readSuccess(document, responses, `${pointer}/responses`),
    failures: readFailures(document, responses, `${pointer}/responses`),
    security: readSecurity(member(operation, 'security') ?? member(document.root, 'security')),
    serverUrl: [operation, item, document.root].map(serverUrl).find((url) => url !== undefined),
  }
}

function readParameters(document: ApiDocument, parameters: readonly unknown[], at: string): Parameter[] {
  return parameters.flatMap((parameter, index) => {
    const { value, pointer } = document.resolve(parameter, `${at}/${index}`)
    const place = member(value, 'in')
    const name = textMember(value, 'name')
    if (name === undefined)
      throw new OpenApiError(`${pointer}/name`, `expected text, got ${found(member(value, 'name'))}`)
    if (!places.has(place)) {
      throw new OpenApiError(`${pointer}/in`, `expected path, query, header or cookie, got ${found(place)}`)
    }
    if (place === 'header' && ownHeaders.test(name)) return []
    return [readParameter(value as JsonObject, place as Place, name, pointer)]
  })
}

function readParameter(value: JsonObject, place: Place, name: string, pointer: string): Parameter {
  const [mediaType] = Object.keys(objectMember(value, 'content'))
  const style = textMember(value, 'style') ?? (place === 'query' || place === 'cookie' ? 'form' : 'simple')
  const explode = member(value, 'explode')
  return {
    place,
    name,
    pointer,
    required: place === 'path' || member(value, 'required') === true,
    description: textMember(value, 'description'),
    schema:
      mediaType === undefined
        ? member(value, 'schema')
        : member(objectMember(objectMember(value, 'content'), mediaType), 'schema'),
    style: mediaType === undefined ? style : 'json',
    explode: typeof explode === 'boolean' ? explode : style === 'form',
  }
}

const isJson = (mediaType: string): boolean => /^application\/(?:[\w.+-]+\+)?json\b/i.test(mediaType)
/** From the one that says most about the data to the one that says least. */
const bodyKinds = [
  isJson,
  (type: string) => type.startsWith('application/x-www-form-urlencoded'),
  (type: string) => type.startsWith('multipart/form-data'),
  (type: string) => type.startsWith('text/'),
  () => true,
]

function readBody(document: ApiDocument, body: unknown, at: string): RequestBody | undefined {
  if (body === undefined) return undefined
  const { value, pointer } = document.resolve(body, at)
  const content = objectMember(value, 'content')
  const types = Object.keys(content)
  const mediaType = bodyKinds.map((fits) => types.find(fits)).find((type) => type !== undefined)
  if (mediaType === undefined) return undefined
  const media = objectMember(content, mediaType)
  return {
    pointer: `${pointer}/content${step(mediaType)}/schema`,
    required: member(value, 'required') === true,
    description: textMember(value, 'description'),
    mediaType: mediaType === '*/*' ? 'application/octet-stream' : mediaType,
    schema: member(media, 'schema'),
    encoding: objectMember(media, 'encoding'),
  }
}

/** The answer with the lowest status of success that has JSON. */
function readSuccess(document: ApiDocument, responses: JsonObject, at: string): Answer | undefined {
  const statuses = Object.keys(responses).filter((status) => /^2(?:\d\d|xx)$/i.test(status))
  for (const status of [...statuses.sort(), ...(statuses.length === 0 ? ['default'] : [])]) {
    if (!Object.hasOwn(responses, status)) continue
    const { value, pointer } = document.resolve(responses[status], `${at}${step(status)}`)
    const content = objectMember(value, 'content')
    const mediaType = Object.keys(content).find(isJson)
    const description = textMember(value, 'description')
    if (mediaType === undefined) continue
    const schema = member(objectMember(content, mediaType), 'schema')
    return { pointer: `${pointer}/content${step(mediaType)}/schema`, description, schema }
  }
  return undefined
}

function readFailures(document: ApiDocument, responses: JsonObject, at: string): Map<string, string> {
  const described = Object.keys(responses)
    .filter((status) => /^(?:[45](?:\d\d|xx)|default)$/i.test(status))
    .map((status) => {
      const { value } = document.resolve(responses[status], `${at}${step(status)}`)
      return [status.toLowerCase(), textMember(value, 'description')] as const
    })
  return new Map(described.filter((entry): entry is [string, string] => entry[1] !== undefined))
}

function readSecurity(security: unknown): Requirement[] {
  return Array.isArray(security) ? security.filter(isObject).map((requirement) => Object.keys(requirement)) : []
}
