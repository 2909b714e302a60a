/** All modules that answer input requests. */
export { answerRequest } from './answer-request.ts'
export { callUntilComplete } from './input-rounds.ts'
