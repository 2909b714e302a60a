import { visibleLine } from '@tenon/sdk/display'
import { namesOf } from '../providers.ts'
import type { LintFinding, LintReport } from '../types.ts'
import { lintSummary, placeOf } from './text.ts'

/** Text of a server must not become markup, nor end a cell of a table. */
const cell = (text: string): string => visibleLine(text).replace(/[\\`*_{}[\]<>()#+!|~&-]/g, '\\$&')

/** A report as Markdown, for a comment on a pull request. */
export function lintMarkdown(report: LintReport): string {
  const title = report.server === undefined ? '## Lint' : `## Lint of ${cell(report.server)}`
  const head = `${title}\n\n${lintSummary(report)}.\n`
  if (report.findings.length === 0) return head
  const rows = report.findings.map(row).join('\n')
  return `${head}\n| severity | rule | where | finding |\n| --- | --- | --- | --- |\n${rows}\n`
}

function row({ severity, rule, subject, message, fix, providers }: LintFinding): string {
  const concerned = providers === undefined ? '' : ` (${namesOf(providers)})`
  return `| ${severity} | ${rule} | ${cell(placeOf(subject))} | ${cell(`${message} ${fix}`)}${concerned} |`
}
