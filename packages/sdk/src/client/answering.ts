/** Everything that answers the server's questions. */
export { answerRequest } from './input.ts'
export { untilComplete } from './rounds.ts'
