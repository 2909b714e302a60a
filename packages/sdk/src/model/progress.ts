export interface Progress {
  /** Grows with every report. */
  progress: number
  total?: number
  /** From 2025-03-26. */
  message?: string
}
