/** All questions to the client, in one module. */

export { withRequestState } from '../stateless/request-state.ts'
export { elicit, elicitUrl, listRoots, sample } from './elicit-and-sample.ts'
export { once } from './once.ts'
export { continueWithInput } from './returned-questions.ts'
