import { isDeepStrictEqual } from 'node:util'
import { callsFormat, callsText } from '@tenon/replay'
import type { JsonObject } from '@tenon/sdk/client'
import { type Document, isMap, isSeq, parseDocument } from 'yaml'
import { RequestProblem } from '../problem.ts'
import { isObject } from '../read-params.ts'

/** The text of a file without calls. */
export const emptyText = (title: string): string => callsText({ title, servers: {}, calls: [] })

const open = (text: string): Document => {
  const document = parseDocument(text)
  if (document.errors.length > 0) throw new RequestProblem('The file cannot be read', 'Put its text right first.')
  if (!isMap(document.contents)) throw new RequestProblem('The file is no file of saved calls')
  return document
}

const close = (document: Document): string => document.toString(callsFormat)

/** The servers of a file as they stand there, in their order. */
export function serversIn(text: string): Map<string, unknown> {
  const { servers } = open(text).toJS() as { servers?: unknown }
  return new Map(isObject(servers) ? Object.entries(servers) : [])
}

/** The calls of a file as they stand there. */
export function callsIn(text: string): JsonObject[] {
  const { calls } = open(text).toJS() as { calls?: unknown }
  return Array.isArray(calls) ? calls.filter(isObject) : []
}

/** The text with a server more. Comments and everything else stay as they are. */
export function addServer(text: string, name: string, entry: JsonObject): string {
  const document = open(text)
  if (!isMap(document.get('servers'))) document.set('servers', document.createNode({}))
  const servers = document.get('servers')
  // An empty map is written in one line, and so would be everything that is put into it.
  if (isMap(servers)) servers.flow = false
  document.setIn(['servers', name], document.createNode(entry))
  return close(document)
}

/** The text with a call more, or with another call in its place: of that, only members that differ are written anew. */
export function putCall(text: string, call: JsonObject, index?: number): string {
  const document = open(text)
  if (!isSeq(document.get('calls'))) document.set('calls', document.createNode([]))
  const calls = document.get('calls')
  if (isSeq(calls)) calls.flow = false
  const known = index === undefined ? undefined : callsIn(text)[index]
  if (index === undefined || known === undefined) {
    document.addIn(['calls'], document.createNode(call))
    return close(document)
  }
  for (const name of Object.keys(known)) {
    if (!Object.hasOwn(call, name)) document.deleteIn(['calls', index, name])
  }
  for (const [name, value] of Object.entries(call)) {
    if (!isDeepStrictEqual(known[name], value)) document.setIn(['calls', index, name], document.createNode(value))
  }
  return close(document)
}

export function removeCall(text: string, index: number): string {
  const document = open(text)
  document.deleteIn(['calls', index])
  return close(document)
}
