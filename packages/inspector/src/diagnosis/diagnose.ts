import type { DiagnosisStep, ServerSpec, ServerView } from '../protocol.ts'
import { commandSteps } from './command-steps.ts'
import type { Step } from './step.ts'
import { urlSteps } from './url-steps.ts'

/** What a diagnosis goes by. */
export interface DiagnosisSubject {
  spec: ServerSpec
  view: ServerView
  /** The last lines of standard error. */
  stderr: string[]
}

/** Walks the way to a server step by step, and stops where it does not go on. `tell` hears of each step. */
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

/** A recording is here already: there is no way to it. */
function stepsTo(spec: ServerSpec, subject: DiagnosisSubject): readonly Step[] {
  if (spec.kind === 'session') return []
  return spec.kind === 'command' ? commandSteps(spec, subject) : urlSteps(spec)
}
