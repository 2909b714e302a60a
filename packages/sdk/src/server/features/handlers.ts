/** Everything that answers for resources, prompts and completion. */

export { answerSubscribe, answerUnsubscribe } from '../subscriptions/subscribe.ts'
export { answerComplete } from './complete.ts'
export { answerPromptsGet, findPrompt } from './get-prompt.ts'
export { answerResourcesRead, beginWatch, canRead, unreadable } from './read-resource.ts'
