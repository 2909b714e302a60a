/** Bounds on the cost of a schema or value from a peer. */
export interface SchemaLimits {
  /** How deep schemas may be nested in each other, in the definition and while validating a value. */
  maxDepth: number
  /** How many schemas one definition may consist of. */
  maxNodes: number
  /** How much work validating one value may take, in schemas applied and members looked at. */
  maxSteps: number
  /** How much work matching patterns may take while validating one value. */
  maxPatternSteps: number
}

export const defaultLimits: SchemaLimits = {
  maxDepth: 500,
  maxNodes: 10_000,
  maxSteps: 1_000_000,
  maxPatternSteps: 2_000_000,
}
