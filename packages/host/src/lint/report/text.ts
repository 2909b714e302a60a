import { visibleLine } from '@tenon/sdk/display'
import { namesOf } from '../providers.ts'
import type { LintFinding, LintReport, LintSubject, Severity } from '../types.ts'

const count = (number: number): string => number.toLocaleString('en-US')

/** The place of a finding in words: `tool add /inputSchema/type`. */
export const placeOf = ({ kind, name, pointer }: LintSubject): string =>
  visibleLine([kind, name, pointer].filter((part) => part !== '').join(' '))

/** The numbers of a report in one sentence. */
export function lintSummary({ counts, tokens, omitted }: LintReport): string {
  const part = (level: Severity): string => `${count(counts[level])} ${level}${counts[level] === 1 ? '' : 's'}`
  const more = omitted === 0 ? '' : ` (${count(omitted)} not listed)`
  const tools = tokens.tools.length === 1 ? '1 tool takes' : `${count(tokens.tools.length)} tools take`
  return `${part('error')}, ${part('warning')}, ${part('note')}${more}; ${tools} about ${count(tokens.total)} tokens`
}

/** Findings by the thing that they are about, in the order of the report. */
function bySubject(findings: readonly LintFinding[]): [place: string, findings: LintFinding[]][] {
  const groups = new Map<string, LintFinding[]>()
  for (const finding of findings) {
    const place = placeOf({ ...finding.subject, pointer: '' })
    groups.set(place, [...(groups.get(place) ?? []), finding])
  }
  return [...groups]
}

/** A report as text, for a terminal or a log. */
export function lintText(report: LintReport): string {
  const lines = bySubject(report.findings).flatMap(([place, findings]) => [place, ...findings.flatMap(linesOf), ''])
  return `${[...lines, lintSummary(report)].join('\n')}\n`
}

function linesOf({ severity, rule, subject, message, fix, providers, difference = [] }: LintFinding): string[] {
  const about = [rule, visibleLine(subject.pointer), providers && namesOf(providers)].filter(Boolean).join(' · ')
  return [
    `  ${severity.padEnd(7)}  ${message}`,
    `           ${fix}`,
    `           ${about}`,
    ...difference.map((line) => `             ${line}`),
  ]
}
