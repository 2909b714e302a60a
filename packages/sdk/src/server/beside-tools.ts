/** Everything that answers for resources, prompts and completion. */
export { complete } from './complete.ts'
export { findPrompt, getPrompt } from './get-prompt.ts'
export { canRead, readResource, unreadable } from './read-resource.ts'
export { subscribe, unsubscribe } from './subscribe.ts'
