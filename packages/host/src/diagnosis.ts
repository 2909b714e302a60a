export { findProgram, type ProgramSubject } from './diagnosis/find-program.ts'
export {
  type DiagnosisStep,
  type Finding,
  failed,
  ok,
  runSteps,
  type Step,
  type StepRunOptions,
  warned,
} from './diagnosis/step.ts'
export { type AddressSubject, urlSteps } from './diagnosis/url-steps.ts'
