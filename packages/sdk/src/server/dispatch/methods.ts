import type { JsonObject } from '../../jsonrpc/message.ts'
import type { ServerCapabilities } from '../../model/capabilities.ts'
import type { LoggingLevel } from '../../model/logging.ts'
import { keptPrivate } from '../definition/cache-policy.ts'
import type { Definition } from '../definition/definition.ts'
import { answerToolsCall } from '../features/call-tool.ts'
import { lazyHandlers } from '../features/lazy-handlers.ts'
import type { OwnDescription } from '../mounted-parts.ts'
import { answerListen } from '../subscriptions/listen.ts'
import { callAsTask } from '../tasks/call-as-task.ts'
import { loadTasks } from '../tasks/lazy-tasks.ts'
import type { Method } from './pipeline.ts'

type Handler = Method<Definition>['run']

/** A method of the protocol. */
export interface ServerMethod extends Method<Definition> {
  /** The capability that a server must have to answer it. */
  readonly needs?: keyof ServerCapabilities | 'tasks'
}

const setLevel: Handler = (call, definition, params) => {
  if (!definition.logs) return {}
  const logLevel = params.level as LoggingLevel
  call.caller.logLevel = logLevel
  const keeping = call.outlet.keep?.({ logLevel })
  return keeping instanceof Promise ? keeping.then(() => ({})) : {}
}

const discover: Handler = (call, definition) => {
  const own = { capabilities: definition.capabilities(), instructions: definition.instructions }
  if (call.parts === undefined) return discovery(definition, own)
  // Mounted backends may offer something else to the next caller.
  return call.parts.describe(call, own).then((all) => keptPrivate(discovery(definition, all)))
}

const discovery = (definition: Definition, { capabilities, instructions }: OwnDescription): JsonObject => ({
  supportedVersions: definition.revisions.toReversed(),
  capabilities,
  ...(instructions !== undefined && { instructions }),
  // Everybody is told the same, so this may be public.
  ...definition.cache.discover,
})

/** A handler that is loaded with the first request for a resource, a prompt or a completion. */
const lazily =
  (
    name: 'answerResourcesRead' | 'answerSubscribe' | 'answerUnsubscribe' | 'answerPromptsGet' | 'answerComplete',
  ): Handler =>
  (call, definition, params) =>
    lazyHandlers((handlers) => handlers[name](call, definition, params))

const toolsCall: ServerMethod = {
  needs: 'tools',
  asks: true,
  run: answerToolsCall,
  instead: (call, definition, params) => (params.task === undefined ? undefined : callAsTask(call, definition, params)),
}

/** Every method that a server answers, besides the lists. */
export const serverMethods: ReadonlyMap<string, ServerMethod> = new Map<string, ServerMethod>([
  ['ping', { run: () => ({}) }],
  ['server/discover', { run: discover }],
  ['tools/call', toolsCall],
  ['resources/read', { needs: 'resources', asks: true, run: lazily('answerResourcesRead') }],
  ['resources/subscribe', { needs: 'resources', run: lazily('answerSubscribe') }],
  ['resources/unsubscribe', { needs: 'resources', run: lazily('answerUnsubscribe') }],
  ['subscriptions/listen', { run: answerListen }],
  ['prompts/get', { needs: 'prompts', asks: true, run: lazily('answerPromptsGet') }],
  ['completion/complete', { needs: 'completions', run: lazily('answerComplete') }],
  ['tasks/get', { needs: 'tasks', run: async (...given) => (await loadTasks()).answerTasksGet(...given) }],
  ['tasks/result', { needs: 'tasks', run: async (...given) => (await loadTasks()).answerTasksResult(...given) }],
  ['tasks/list', { needs: 'tasks', run: async (...given) => (await loadTasks()).answerTasksList(...given) }],
  ['tasks/update', { needs: 'tasks', run: async (...given) => (await loadTasks()).answerTasksUpdate(...given) }],
  ['tasks/cancel', { needs: 'tasks', run: async (...given) => (await loadTasks()).answerTasksCancel(...given) }],
  ['logging/setLevel', { needs: 'logging', run: setLevel }],
])
