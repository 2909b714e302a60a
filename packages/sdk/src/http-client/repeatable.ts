import type { Payload } from '../jsonrpc/message.ts'

/**
 * Requests that change nothing, or nothing more when they run twice. An explicit list, so that no method of a new
 * revision is sent twice without a decision.
 */
const repeatable: ReadonlySet<string> = new Set([
  'initialize',
  'server/discover',
  'ping',
  'tools/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'resources/subscribe',
  'resources/unsubscribe',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'logging/setLevel',
  'subscriptions/listen',
  'tasks/get',
  'tasks/result',
  'tasks/list',
  // Repeated answers to an input request are ignored.
  'tasks/update',
  'tasks/cancel',
])

/** Whether a message may arrive twice without harm. A tool may not run twice. */
export function isRepeatable(payload: Payload): boolean {
  if (Array.isArray(payload) || !('method' in payload)) return true
  return 'id' in payload ? repeatable.has(payload.method) : payload.method.startsWith('notifications/')
}
