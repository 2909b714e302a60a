/** Everything that answers for resources, prompts and completion. */

export { subscribe, unsubscribe } from '../subscriptions/subscribe.ts'
export { complete } from './complete.ts'
export { findPrompt, getPrompt } from './get-prompt.ts'
export { canRead, readResource, unreadable } from './read-resource.ts'
