const { process, setImmediate } = globalThis as {
  process?: { nextTick?: (work: () => void) => void }
  setImmediate?: (work: () => void) => unknown
}

/** Runs something in the next turn of the event loop; without the millisecond that a timer takes, where that is possible. */
export const afterThisTurn: (work: () => void) => void =
  setImmediate === undefined ? (work) => void setTimeout(work, 0) : (work) => void setImmediate(work)

const ready = Promise.resolve()

/**
 * Runs something when everything that could go on has gone on. Node and its like have a queue for that, which is looked
 * at whenever no microtasks are left, and before anything new is read.
 */
export const afterMicrotasks: (work: () => void) => void =
  process?.nextTick === undefined ? afterThisTurn : (work) => void ready.then(() => process.nextTick!(work))
