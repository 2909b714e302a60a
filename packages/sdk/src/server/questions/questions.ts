/** Everything that asks the client. */

export { withState } from '../stateless/request-state.ts'
export { elicit, elicitUrl, listRoots, sample } from './elicit-and-sample.ts'
export { once } from './once.ts'
export { goOn } from './returned-questions.ts'
