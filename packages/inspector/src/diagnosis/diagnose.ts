import type { DiagnosisStep, ServerSpec, ServerView } from '../protocol.ts'
import { commandSteps } from './command-steps.ts'
import type { Step } from './step.ts'
import { urlSteps } from './url-steps.ts'

/** The input of a diagnosis. */
export interface DiagnosisSubject {
  spec: ServerSpec
  view: ServerView
  /** The last lines of standard error. */
  stderr: string[]
}

/** Checks the connection to a server step by step, up to the first failure. `tell` gets each step. */
export async function diagnose(
  subject: DiagnosisSubject,
  tell: (steps: DiagnosisStep[]) => void,
): Promise<DiagnosisStep[]> {
  const { spec } = subject
  const steps: readonly Step[] = stepsTo(spec, subject)
  const done: DiagnosisStep[] = []
  let blocked = false
  for (const { name, title, run } of steps) {
    const start = performance.now()
    if (blocked) {
      done.push({ name, title, status: 'skipped', detail: 'Not tried: an earlier step failed' })
    } else {
      const finding = await run()
      if (finding === undefined) continue
      done.push({ name, title, durationMs: performance.now() - start, ...finding })
      blocked = finding.status === 'failed'
    }
    tell([...done])
  }
  return done
}

/** A recording is here already: there is nothing to check. */
function stepsTo(spec: ServerSpec, subject: DiagnosisSubject): readonly Step[] {
  if (spec.kind === 'session') return []
  return spec.kind === 'command' ? commandSteps(spec, subject) : urlSteps(spec)
}
