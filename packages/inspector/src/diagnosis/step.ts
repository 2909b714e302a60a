import type { DiagnosisStep } from '../protocol.ts'

/** What a step found out. */
export type Finding = Pick<DiagnosisStep, 'status' | 'detail' | 'hint'>

/** One step; what has nothing to look at in this case finds nothing. */
export interface Step extends Pick<DiagnosisStep, 'name' | 'title'> {
  run(): Finding | undefined | Promise<Finding | undefined>
}

export const ok = (detail: string): Finding => ({ status: 'ok', detail })
export const warned = (detail: string, hint: string): Finding => ({ status: 'warning', detail, hint })
export const failed = (detail: string, hint: string): Finding => ({ status: 'failed', detail, hint })
