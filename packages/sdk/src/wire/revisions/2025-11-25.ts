import { omit, omitting, type ShapeChange } from '../change.ts'
import type { Difference, Upgrade } from '../dialect.ts'
import { before } from '../dialect.ts'
import { structuredContentAsObject } from '../older/structured-content.ts'
import { withObjectSchemas } from '../older/tool-schema.ts'
import { withoutExtension } from '../tasks.ts'
import { tasksCapability, withTasks } from './2025-11-25-tasks.ts'

const withElicitationId: ShapeChange = (params) =>
  params.mode === 'url' && typeof params.elicitationId !== 'string'
    ? { ...params, elicitationId: crypto.randomUUID() }
    : params

// Structured content is an object here, so a peer's null can only mean that there is none.
const withoutNullContent: Upgrade = (result) =>
  result.structuredContent === null ? omit(result, 'structuredContent') : result

/** The last revision with a handshake; the server sends requests of its own to the client. */
export const rev20251125: Difference = (newer) =>
  before(newer, {
    revision: '2025-11-25',
    tasks: { declared: false, endedCanBeCancelled: false, reportsProgress: true },
    errorCode: (code) => code,
    requests: {
      client: new Set([
        'initialize',
        'ping',
        'tools/list',
        'tools/call',
        'resources/list',
        'resources/templates/list',
        'resources/read',
        'resources/subscribe',
        'resources/unsubscribe',
        'prompts/list',
        'prompts/get',
        'completion/complete',
        'logging/setLevel',
        'tasks/get',
        'tasks/result',
        'tasks/list',
        'tasks/cancel',
      ]),
      server: new Set(['ping', 'roots/list', 'sampling/createMessage', 'elicitation/create']),
    },
    notifications: {
      client: new Set([
        'notifications/initialized',
        'notifications/cancelled',
        'notifications/progress',
        'notifications/roots/list_changed',
      ]),
      server: new Set([
        'notifications/cancelled',
        'notifications/progress',
        'notifications/message',
        'notifications/resources/updated',
        'notifications/resources/list_changed',
        'notifications/tools/list_changed',
        'notifications/prompts/list_changed',
        'notifications/elicitation/complete',
        'notifications/tasks/status',
      ]),
    },
    shapes: {
      tool: withObjectSchemas,
      toolResult: structuredContentAsObject,
      elicitParams: withElicitationId,
      inputResponses: omitting('inputResponses', 'requestState', 'task'),
      serverResult: omitting('resultType', 'ttlMs', 'cacheScope'),
    },
    ownShapes: { clientCapabilities: withoutExtension, serverCapabilities: tasksCapability },
    upgrades: { 'tools/call': withoutNullContent },
    envelope: withTasks,
  })
