import type { MaybePromise } from '../../internal/maybe-promise.ts'
import type { JsonObject } from '../../jsonrpc/message.ts'
import type { ServerCapabilities } from '../../model/capabilities.ts'
import { tasksExtension } from '../../model/tasks.ts'
import { isWatched } from '../../telemetry/watch.ts'
import { isIdentified } from '../access/caller-owner.ts'
import type { Backend, SessionOutlet } from '../backend.ts'
import { CallerState } from '../caller-state.ts'
import type { Definition } from '../definition/definition.ts'
import type { Call } from '../dispatch/call.ts'
import type { Dispatcher } from '../dispatch/dispatcher.ts'
import type { Outlet } from '../dispatch/outlet.ts'
import { methodNotFound } from '../dispatch/pipeline.ts'
import { watchCall } from '../dispatch/request-telemetry.ts'
import { initializeResult, introducedResult, readInitialize } from '../session/handshake.ts'

/** There is no stream on which a change could be told. */
const needSession: ReadonlySet<string> = new Set(['resources/subscribe', 'resources/unsubscribe'])

/** Answers a request of a revision with sessions as if it were the only one. */
export function answerSessionless(call: Call, dispatcher: Dispatcher): MaybePromise<JsonObject> {
  const { method } = call.request
  if (method === 'initialize') return introduce(call, dispatcher.definition)
  if (needSession.has(method)) throw methodNotFound(method, 'it needs a session, and this server gives none')
  if (dispatcher.definition.backend !== undefined) refuseShared(call)
  return dispatcher.answer(call)
}

/**
 * A proxy has one connection for all callers that cannot be told apart. The server behind it takes them for one client, so
 * each of them would see the tasks of the others, and set their log level.
 */
function refuseShared({ caller, request: { method } }: Call): void {
  if (isIdentified(caller) || !(method.startsWith('tasks/') || method === 'logging/setLevel')) return
  throw methodNotFound(method, 'it needs a session or authentication, and this client has neither')
}

function introduce(call: Call, definition: Definition): MaybePromise<JsonObject> {
  return isWatched('server.request')
    ? watchCall(call, () => answerInitialize(call, definition))
    : answerInitialize(call, definition)
}

function answerInitialize(call: Call, definition: Definition): MaybePromise<JsonObject> {
  const { codec, ...who } = readInitialize(definition, call.request.params)
  const { backend } = definition
  const { conversation, connection } = call.caller
  if (backend !== undefined)
    return introduceOnce(call, definition, backend, new CallerState(codec, conversation, who, connection))
  return initializeResult(definition, codec, untold(definition.capabilities({ known: isIdentified(call.caller) })))
}

/** Of a backend only the introduction is wanted: its session ends with the request. */
async function introduceOnce(
  { outlet }: Call,
  definition: Definition,
  backend: Backend,
  caller: CallerState,
): Promise<JsonObject> {
  const connection = forOneRequest(outlet)
  try {
    const said = await backend.introduce(caller, connection)
    const offered = untold((said.capabilities ?? {}) as ServerCapabilities)
    const capabilities = isIdentified(caller) ? offered : withoutShared(offered)
    return introducedResult(definition, caller.codec, { ...said, capabilities })
  } finally {
    backend.closed(connection, caller.connection)
  }
}

/** A session that is over with the request, so there is nothing to end. */
const forOneRequest = (outlet: Outlet): SessionOutlet => ({
  askTimeoutMs: outlet.askTimeoutMs,
  listens: outlet.listens,
  client: outlet.client,
  notify: (method, params, about) => outlet.notify(method, params, about),
  ask: (method, params, wait, about) => outlet.ask(method, params, wait, about),
  close: async () => {},
})

/** The capabilities without those of `refuseShared`. */
function withoutShared({ logging: _, extensions, ...others }: ServerCapabilities): ServerCapabilities {
  const { [tasksExtension]: __, ...rest } = extensions ?? {}
  return { ...others, ...(Object.keys(rest).length > 0 && { extensions: rest }) }
}

/** The capabilities without notifications of changes. */
function untold({ tools, resources, prompts, ...others }: ServerCapabilities): ServerCapabilities {
  return {
    ...others,
    ...(tools && { tools: omitChanges(tools) }),
    ...(resources && { resources: omitChanges(resources) }),
    ...(prompts && { prompts: omitChanges(prompts) }),
  }
}

function omitChanges(capability: { listChanged?: boolean; subscribe?: boolean }): object {
  const { listChanged: _, subscribe: __, ...rest } = capability
  return rest
}
