/** Everything that asks the client. */
export { once } from './once.ts'
export { elicit, elicitUrl, listRoots, sample } from './questions.ts'
export { goOn } from './spelled-out.ts'
export { withState } from './start-replay.ts'
