import { formatNumber, formatRatio, formatSpread, formatVerdicts } from './rows.mjs'

/** The results of one scenario. */
export function formatScenario(rows) {
  const lines = []
  for (const row of rows) {
    lines.push(`${row.title}: ${row.row} (${row.unit}${row.lower ? ', lower is better' : ''})`)
    for (const [name, result] of Object.entries(row.results)) lines.push(formatResult(name, result, row.results.limit))
    const verdicts = formatVerdicts(row.verdicts)
    if (verdicts) lines.push(`  ${verdicts}`)
  }
  return lines.join('\n')
}

function formatResult(name, result, limit) {
  const cells = [
    `  ${name.padEnd(10)}`,
    formatNumber(result.median).padStart(10),
    formatSpread(result.spread).padStart(6),
    limit ? `${formatRatio(result.median / limit.median)}×`.padStart(9) : '',
    result.cpu ? `CPU ${formatNumber(result.cpu)} µs`.padStart(16) : '',
    limit?.cpu && result.cpu ? `${formatRatio(limit.cpu / result.cpu)}×`.padStart(7) : '',
    ...['p50', 'p99'].map((one) => (result[one] ? `${one} ${formatNumber(result[one])} µs`.padStart(17) : '')),
    result.rss ? `RSS ${result.rss.toFixed(0)} MiB`.padStart(13) : '',
    result.loadShare ? `  load ${(result.loadShare * 100).toFixed(0)}% of a core` : '',
  ]
  return cells.join('')
}
