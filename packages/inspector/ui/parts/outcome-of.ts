import type { Call, Operation, Outcome } from '../../src/protocol.ts'

/** What came of a call, if it is the one that the form shows. */
export function outcomeOf(call: Call | undefined, shown: Operation | undefined): Outcome | undefined {
  return call !== undefined && shown !== undefined && textOf(call.operation) === textOf(shown)
    ? call.outcome
    : undefined
}

/** Whether it runs as a task says how the answer comes, and not what is asked. */
const textOf = (operation: Operation): string => JSON.stringify({ ...operation, task: undefined })
