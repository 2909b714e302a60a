export { literal, toExpectation, toSavedCall } from './calls/write-call.ts'
export { type Difference, type DifferencesOptions, differences } from './json/differences.ts'
