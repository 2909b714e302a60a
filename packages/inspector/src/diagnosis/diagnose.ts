import { type DiagnosisStep, runSteps, type Step, urlSteps } from '@tenon/host/diagnosis'
import type { ServerSpec, ServerView, UrlSpec } from '../protocol.ts'
import { wantsOAuth } from '../servers/connect-options.ts'
import { commandSteps } from './command-steps.ts'
import { lookAtRevision } from './revision-finding.ts'

/** The input of a diagnosis. */
export interface DiagnosisSubject {
  spec: ServerSpec
  view: ServerView
  /** The last lines of standard error. */
  stderr: string[]
}

/** Checks the connection to a server step by step, up to the first failure. `tell` gets all steps after each one. */
export async function diagnose(
  subject: DiagnosisSubject,
  tell: (steps: DiagnosisStep[]) => void,
): Promise<DiagnosisStep[]> {
  const done: DiagnosisStep[] = []
  const onStep = (step: DiagnosisStep): void => {
    done.push(step)
    tell([...done])
  }
  return await runSteps(stepsTo(subject.spec, subject), { onStep })
}

/** A recording is here already: there is nothing to check. */
function stepsTo(spec: ServerSpec, subject: DiagnosisSubject): readonly Step[] {
  if (spec.kind === 'session') return []
  return spec.kind === 'command' ? commandSteps(spec, subject) : stepsToUrl(spec)
}

const stepsToUrl = (spec: UrlSpec): Step[] => [
  ...urlSteps({
    url: spec.url,
    headers: spec.headers,
    loginHint: wantsOAuth(spec) ? 'Connect, and sign in where you are asked to.' : undefined,
  }),
  { name: 'version', title: 'Revision', run: () => lookAtRevision(spec) },
]
