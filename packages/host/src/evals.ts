export {
  compareRates,
  type EvalChange,
  type EvalRate,
  mergeRates,
  ratesOf,
  readRates,
} from './evals/compare.ts'
export { distinctFailures, evalsJunit } from './evals/junit.ts'
export { LastRun } from './evals/last-run.ts'
export { EvalsFileError, loadEvals, loadEvalsFile } from './evals/load.ts'
export { byItself, type EvalEvent, type EvalsOptions, runEvals } from './evals/run.ts'
export type {
  CallCheck,
  EvalCall,
  EvalCase,
  EvalChecks,
  EvalFailure,
  EvalResult,
  EvalRun,
  EvalsFile,
  EvalsReport,
} from './evals/types.ts'
