/** The steps left to spend; going below zero throws `patternLimit`. */
export interface PatternBudget {
  patternSteps: number
}

/** Thrown inside the matcher when the budget is gone. */
export const patternLimit: unique symbol = Symbol('pattern limit')
