/** Everything that answers the server's questions. */
export { answerRequest } from './answer-request.ts'
export { callUntilComplete } from './input-rounds.ts'
