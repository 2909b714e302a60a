import { visibleLine } from '@tenon/sdk/display'
import { type LintRule, lintRules } from '../rule-list.ts'
import type { LintFinding, LintReport } from '../types.ts'
import { placeOf } from './text.ts'

/** A report in SARIF 2.1.0, for code scanning. Findings are about a running server, so their places are logical ones. */
export function lintSarif(report: LintReport): string {
  const used = [...new Set(report.findings.map(({ rule }) => rule))]
  const rules = used.map((id) => ({
    id,
    shortDescription: { text: lintRules[id].about },
    defaultConfiguration: { level: lintRules[id].severity },
  }))
  const run = {
    tool: { driver: { name: 'tenon lint', informationUri: 'https://github.com/tenon-mcp/tenon', rules } },
    results: report.findings.map((finding) => toResult(finding, used)),
  }
  return `${JSON.stringify({ $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run] }, null, 2)}\n`
}

const toResult = ({ rule, severity, subject, message, fix, providers }: LintFinding, used: readonly LintRule[]) => ({
  ruleId: rule,
  ruleIndex: used.indexOf(rule),
  level: severity,
  message: { text: `${message} ${fix}` },
  locations: [
    {
      logicalLocations: [{ name: visibleLine(subject.name), fullyQualifiedName: placeOf(subject), kind: subject.kind }],
    },
  ],
  ...(providers && { properties: { providers } }),
})
