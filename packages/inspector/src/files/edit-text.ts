import { isDeepStrictEqual } from 'node:util'
import { callsFormat } from '@tenon/replay'
import { isTooDeep } from '@tenon/replay/files'
import type { JsonObject } from '@tenon/sdk/client'
import { type Document, isMap, isSeq, parseDocument } from 'yaml'
import { freeName } from '../free-name.ts'
import { RequestProblem } from '../problem.ts'
import type { ServerSpec } from '../protocol.ts'
import { isObject } from '../read-params.ts'
import { serverEntry } from './server-entry.ts'

/** The lists that files have: calls with expectations, or prompts with checks. */
type ListName = 'calls' | 'cases'

const open = (text: string): Document => {
  if (isTooDeep(text)) throw new RequestProblem('The file nests too deep to be read')
  const document = parseDocument(text)
  if (document.errors.length > 0) throw new RequestProblem('The file cannot be read', 'Put its text right first.')
  if (!isMap(document.contents)) throw new RequestProblem('The file is no file of saved calls or eval cases')
  return document
}

const close = (document: Document): string => document.toString(callsFormat)

/** A member of a file as it stands there. */
export const memberIn = (text: string, name: string): unknown =>
  (open(text).toJS() as { [name: string]: unknown })[name]

/** The servers of a file as they stand there, in their order. */
export function serversIn(text: string): Map<string, unknown> {
  const servers = memberIn(text, 'servers')
  return new Map(isObject(servers) ? Object.entries(servers) : [])
}

/** The items of a list as they stand in the file. */
export function itemsIn(text: string, list: ListName): JsonObject[] {
  const items = memberIn(text, list)
  return Array.isArray(items) ? items.filter(isObject) : []
}

/** The text with a server, if it is not there yet, and its name in the file. */
export function putServer(text: string, spec: ServerSpec): [text: string, name: string] {
  const servers = serversIn(text)
  const entry = serverEntry(spec)
  const known = [...servers].find(([, other]) => isDeepStrictEqual(other, entry))?.[0]
  if (known !== undefined) return [text, known]
  const name = freeName(spec.name, servers)
  return [addServer(text, name, entry), name]
}

/** The text with a server more. Comments and everything else stay as they are. */
function addServer(text: string, name: string, entry: JsonObject): string {
  const document = open(text)
  if (!isMap(document.get('servers'))) document.set('servers', document.createNode({}))
  const servers = document.get('servers')
  // An empty map is written in one line, and so would be everything that is put into it.
  if (isMap(servers)) servers.flow = false
  document.setIn(['servers', name], document.createNode(entry))
  return close(document)
}

/** The text with an item more, or with another one in its place: of that, only members that differ are written anew. */
export function putItem(text: string, list: ListName, item: JsonObject, index?: number): string {
  const document = open(text)
  if (!isSeq(document.get(list))) document.set(list, document.createNode([]))
  const items = document.get(list)
  if (isSeq(items)) items.flow = false
  const known = index === undefined ? undefined : itemsIn(text, list)[index]
  if (index === undefined || known === undefined) document.addIn([list], document.createNode(item))
  else replaceMembers(document, [list, index], known, item)
  return close(document)
}

export function removeItem(text: string, list: ListName, index: number): string {
  const document = open(text)
  document.deleteIn([list, index])
  return close(document)
}

/** The text with other members at the top; those that are undefined are taken out. */
export function putMembers(text: string, members: { readonly [name: string]: unknown }): string {
  const document = open(text)
  const known = document.toJS() as JsonObject
  for (const [name, value] of Object.entries(members)) {
    if (value === undefined) document.delete(name)
    else if (!isDeepStrictEqual(known[name], value)) document.set(name, document.createNode(value))
  }
  return close(document)
}

function replaceMembers(document: Document, path: (string | number)[], known: JsonObject, item: JsonObject): void {
  for (const name of Object.keys(known)) if (!Object.hasOwn(item, name)) document.deleteIn([...path, name])
  for (const [name, value] of Object.entries(item)) {
    if (!isDeepStrictEqual(known[name], value)) document.setIn([...path, name], document.createNode(value))
  }
}
