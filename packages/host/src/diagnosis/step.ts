/** A step of a diagnosis, after it was taken or skipped. */
export interface DiagnosisStep {
  name: string
  title: string
  status: 'ok' | 'warning' | 'failed' | 'skipped'
  /** The fact that was found. */
  detail: string
  /** The next step of the reader. */
  hint?: string
  durationMs?: number
}

/** The result of a step. */
export type Finding = Pick<DiagnosisStep, 'status' | 'detail' | 'hint'>

/** One step; it finds nothing if it does not apply. */
export interface Step extends Pick<DiagnosisStep, 'name' | 'title'> {
  /** The names of the steps that have to succeed before this one. Default: all earlier ones. */
  needs?: readonly string[]
  run(): Finding | undefined | Promise<Finding | undefined>
}

export interface StepRunOptions {
  /** A step begins. */
  onStart?: (step: Pick<Step, 'name' | 'title'>) => void
  /** A step was taken or skipped. */
  onStep?: (step: DiagnosisStep) => void
  /** Aborting it leaves out the steps that are left. */
  signal?: AbortSignal
}

export const ok = (detail: string): Finding => ({ status: 'ok', detail })
export const warned = (detail: string, hint: string): Finding => ({ status: 'warning', detail, hint })
export const failed = (detail: string, hint: string): Finding => ({ status: 'failed', detail, hint })

/** Takes steps in their order. A step is skipped if one that it needs failed or was skipped. */
export async function runSteps(
  steps: readonly Step[],
  { onStart, onStep, signal }: StepRunOptions = {},
): Promise<DiagnosisStep[]> {
  const done: DiagnosisStep[] = []
  /** The title of the step that failed first, by the name of each step that could not be completed. */
  const causes = new Map<string, string>()
  for (const { name, title, needs = done.map((step) => step.name), run } of steps) {
    if (signal?.aborted) break
    const cause = needs.map((needed) => causes.get(needed)).find((found) => found !== undefined)
    onStart?.({ name, title })
    const start = performance.now()
    const finding = cause === undefined ? await run() : skipped(cause)
    if (finding === undefined) continue
    if (finding.status === 'failed') causes.set(name, title)
    if (cause !== undefined) causes.set(name, cause)
    const step = { name, title, ...(cause === undefined && { durationMs: performance.now() - start }), ...finding }
    done.push(step)
    onStep?.(step)
  }
  return done
}

const skipped = (cause: string): Finding => ({ status: 'skipped', detail: `Skipped, because ${cause} failed` })
