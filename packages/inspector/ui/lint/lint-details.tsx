import type { JSX } from 'react'
import type { LintMark } from '../../src/protocol.ts'
import { FindingList } from './finding-list.tsx'
import { Counts } from './lint-card.tsx'
import { useLintReport } from './use-lint-report.ts'

/** The findings about one thing, on its page; nothing if there are none. */
export function LintDetails(props: { server: string; kind: LintMark['kind']; name: string }): JSX.Element | null {
  const { report: found } = useLintReport(props)
  if (found === undefined || found.report.findings.length === 0) return null
  return (
    <details className="card definition lint-details">
      <summary>
        Lint <Counts counts={found.report.counts} />
      </summary>
      <div className="body">
        <FindingList findings={found.report.findings} />
      </div>
    </details>
  )
}
