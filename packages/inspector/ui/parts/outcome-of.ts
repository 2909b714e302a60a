import { writeExact } from '../../src/exact-json.ts'
import type { Call, Operation, Outcome } from '../../src/protocol.ts'

/** The outcome of a call, if it is the one that the form shows. */
export function outcomeOf(call: Call | undefined, shown: Operation | undefined): Outcome | undefined {
  return call !== undefined && shown !== undefined && textOf(call.operation) === textOf(shown)
    ? call.outcome
    : undefined
}

/** Running as a task changes how the answer comes, and not the request. */
const textOf = (operation: Operation): string => writeExact({ ...operation, task: undefined })
