import type { AppTraffic } from '@tenon/sdk/apps/host'

/** A message between a view and its host, or a fault, as it is listed beside the view. */
export interface AppNote {
  id: number
  from: 'view' | 'host'
  kind: 'request' | 'response' | 'error' | 'notification' | 'fault'
  /** Of a response, the method of its request. */
  method: string
  /** The parameters, the result or the error. */
  body: unknown
}

type NewNote = Omit<AppNote, 'id'>

const keptNotes = 100
const keptRequests = 200
const maxCharacters = 20_000
const maxMethod = 200

/** The list with one more; a view that never stops talking pushes out its first notes. */
export const withNote = (notes: readonly AppNote[], note: NewNote): AppNote[] =>
  [...notes, { ...bounded(note), id: (notes.at(-1)?.id ?? 0) + 1 }].slice(-keptNotes)

/** Turns messages into notes; an answer gets the method of its request. */
export function noteTaker(): (message: AppTraffic) => NewNote {
  const requests = new Map<string, string>()
  return ({ from, payload }) => {
    const { id, method, params, result, error } = Object(payload) as { [member: string]: unknown }
    if (typeof method === 'string') {
      if (id === undefined) return { from, kind: 'notification', method, body: params }
      requests.set(`${from} ${id}`, beginning(method, maxMethod))
      if (requests.size > keptRequests) requests.delete(requests.keys().next().value!)
      return { from, kind: 'request', method, body: params }
    }
    const asked = `${from === 'view' ? 'host' : 'view'} ${id}`
    const known = requests.get(asked) ?? ''
    requests.delete(asked)
    if (error !== undefined) return { from, kind: 'error', method: known, body: error }
    return result === undefined
      ? { from, kind: 'fault', method: 'no message', body: payload }
      : { from, kind: 'response', method: known, body: result }
  }
}

/** A hundred of the longest messages would fill the memory of the page. */
function bounded({ method, body, ...note }: NewNote): NewNote {
  const text = JSON.stringify(body) ?? ''
  const isLong = text.length > maxCharacters
  return {
    ...note,
    method: beginning(method, maxMethod),
    body: isLong ? `${beginning(text, maxCharacters)}… (${text.length} characters)` : body,
  }
}

/** A copy: engines let a part of a text hold the whole of it in memory. */
const beginning = (text: string, length: number): string =>
  text.length <= length ? text : structuredClone(text.slice(0, length))
