import type { LintReport, LintSubject, Provider, Severity } from '@tenon/host/lint'

/** The findings about one thing that a server lists, in short. */
export interface LintMark {
  kind: LintSubject['kind']
  name: string
  /** The worst of them. */
  severity: Severity
  count: number
}

export type { LintReport, Provider }

export interface LintCommands {
  /** Findings about a server, or about one thing that it lists. */
  'lint.report': {
    params: { server: string; providers?: Provider[]; kind?: LintSubject['kind']; name?: string }
    /** `markdown` is the report for a comment or an issue. */
    result: { report: LintReport; markdown: string }
  }
  /** Everything that an error or a warning is about. */
  'lint.marks': { params: { server: string }; result: { marks: LintMark[] } }
  /** Changes are reported since this moment from now on. */
  'lint.seen': { params: { server: string }; result: Record<string, never> }
}
