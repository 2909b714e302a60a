export { literal, toExpectation, toSavedCall } from './calls/write/saved-call.ts'
export { type Difference, type DifferencesOptions, differences } from './json/differences.ts'
