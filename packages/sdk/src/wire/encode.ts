import type { JsonObject } from '../jsonrpc/message.ts'
import type { ShapeChange } from './change.ts'
import { changeItems, changeMember, changeMemberItems, compose, isObject } from './change.ts'
import type { Coding, Shape, Shapes } from './dialect.ts'

/** A place in a message: the change there in a revision with these shapes; none if nothing differs. */
type Place = (shapes: Shapes) => ShapeChange | undefined

const shape =
  (name: Shape): Place =>
  (shapes) =>
    shapes[name]

/** Several places, in this order. */
const all =
  (...places: Place[]): Place =>
  (shapes) =>
    places.map((place) => place(shapes)).reduce(compose, undefined)

const lift =
  (wrap: (change: ShapeChange) => ShapeChange) =>
  (place: Place): Place =>
  (shapes) => {
    const change = place(shapes)
    return change && wrap(change)
  }

const member = (name: string, place: Place): Place =>
  lift((change) => (value) => changeMember(value, name, change))(place)

const items = (name: string, place: Place): Place =>
  lift((change) => (value) => changeMemberItems(value, name, change))(place)

const oneOrItems = (name: string, place: Place): Place =>
  lift((change) => (value) => {
    const before = value[name]
    const after = Array.isArray(before) ? changeItems(before, change) : isObject(before) ? change(before) : before
    return after === before ? value : { ...value, [name]: after }
  })(place)

const ofType = (type: string, place: Place): Place =>
  lift((change) => (value) => (value.type === type ? change(value) : value))(place)

const block = (): Place => all(ofType('resource', member('resource', shape('resourceContents'))), shape('content'))
// The change to the whole result comes first: it looks for text, and afterwards other blocks may have turned into text.
const toolResult = (): Place => all(shape('toolResult'), items('content', block()))
const samplingContent = (): Place => oneOrItems('content', all(ofType('tool_result', toolResult()), block()))

/** Created with the first message of a method: few peers use all of them. */
type Places = { readonly [method: string]: () => Place }

const params: Places = {
  initialize: () =>
    all(member('clientInfo', shape('implementation')), member('capabilities', shape('clientCapabilities'))),
  'tools/call': () => shape('inputResponses'),
  'resources/read': () => shape('inputResponses'),
  'prompts/get': () => shape('inputResponses'),
  'completion/complete': () => shape('completeParams'),
  'notifications/progress': () => shape('progress'),
  'sampling/createMessage': () =>
    all(
      items('messages', all(samplingContent(), shape('samplingMessage'))),
      items('tools', shape('tool')),
      shape('samplingParams'),
    ),
  'elicitation/create': () => shape('elicitParams'),
}

const serverResult = (...places: Place[]): Place => all(...places, shape('serverResult'))

const results: Places = {
  initialize: () =>
    serverResult(member('serverInfo', shape('implementation')), member('capabilities', shape('serverCapabilities'))),
  'server/discover': () => serverResult(member('capabilities', shape('serverCapabilities'))),
  'tools/list': () => serverResult(items('tools', shape('tool'))),
  'tools/call': () => serverResult(toolResult()),
  'resources/list': () => serverResult(items('resources', shape('resource'))),
  'resources/templates/list': () => serverResult(items('resourceTemplates', shape('resourceTemplate'))),
  'resources/read': () => serverResult(items('contents', shape('resourceContents'))),
  'resources/subscribe': () => serverResult(),
  'resources/unsubscribe': () => serverResult(),
  'prompts/list': () => serverResult(items('prompts', shape('prompt'))),
  'prompts/get': () => serverResult(items('messages', member('content', block()))),
  'completion/complete': () => serverResult(),
  'logging/setLevel': () => serverResult(),
  // Of the extension `io.modelcontextprotocol/skills`.
  'skills/list': () => serverResult(),
  'skills/get': () => serverResult(),
  'roots/list': () => items('roots', shape('root')),
  'sampling/createMessage': () => all(samplingContent(), shape('samplingResult')),
  'elicitation/create': () => shape('elicitResult'),
}

const unchanged: ShapeChange = (value) => value

function changesOf(places: Places, shapes: Shapes): (method: string, value: JsonObject) => JsonObject {
  const changes = new Map<string, ShapeChange>()
  const changeOf = (method: string): ShapeChange => {
    if (!Object.hasOwn(places, method)) return unchanged
    const change = places[method]!()(shapes) ?? unchanged
    changes.set(method, change)
    return change
  }
  return (method, value) => (changes.get(method) ?? changeOf(method))(value)
}

/** Model to wire. Unchanged and unknown methods pass as they are. */
export const createEncoder = (shapes: Shapes): Pick<Coding, 'encodeParams' | 'encodeResult'> => ({
  encodeParams: changesOf(params, shapes),
  encodeResult: changesOf(results, shapes),
})
