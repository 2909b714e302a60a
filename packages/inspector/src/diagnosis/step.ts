import type { DiagnosisStep } from '../protocol.ts'

/** The result of a step. */
export type Finding = Pick<DiagnosisStep, 'status' | 'detail' | 'hint'>

/** One step; it finds nothing if it does not apply. */
export interface Step extends Pick<DiagnosisStep, 'name' | 'title'> {
  run(): Finding | undefined | Promise<Finding | undefined>
}

export const ok = (detail: string): Finding => ({ status: 'ok', detail })
export const warned = (detail: string, hint: string): Finding => ({ status: 'warning', detail, hint })
export const failed = (detail: string, hint: string): Finding => ({ status: 'failed', detail, hint })
