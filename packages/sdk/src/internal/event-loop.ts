const { process, setImmediate } = globalThis as {
  process?: { nextTick?: (work: () => void) => void }
  setImmediate?: (work: () => void) => unknown
}

/** Runs something in the next turn of the event loop; if possible, without the millisecond that a timer takes. */
export const afterThisTurn: (work: () => void) => void =
  setImmediate === undefined ? (work) => void setTimeout(work, 0) : (work) => void setImmediate(work)

const ready = Promise.resolve()

/**
 * Runs something after all pending microtasks. Node and its like have a queue for that, which runs whenever no
 * microtasks are left, and before anything new is read.
 */
export const afterMicrotasks: (work: () => void) => void =
  process?.nextTick === undefined ? afterThisTurn : (work) => void ready.then(() => process.nextTick!(work))
