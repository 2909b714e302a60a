/** One line for a pair, and one for each remarkable result. */
export function formatCell({ name }, results) {
  const count = (outcome) => results.filter((one) => one.outcome === outcome).length
  const [passed, skipped] = [count('pass'), count('not offered')]
  const revision = results.find((one) => one.revision)?.revision ?? 'no revision'
  const seconds = results.reduce((sum, { ms = 0 }) => sum + ms, 0) / 1000
  const lines = [`${name}: ${passed} passed, ${skipped} not offered (${revision}, ${seconds.toFixed(1)} s)`]
  for (const { task, verdict, message, difference, output, serverLog, strays } of results) {
    if (verdict === 'known') lines.push(`  known: ${task} (${difference})`)
    if (verdict === 'new') {
      lines.push(`  NEW: ${task}: ${message}`)
      if (output) lines.push(indent(`client: ${output}`))
      if (serverLog) lines.push(indent(`server: ${serverLog}`))
    }
    for (const stray of strays ?? []) lines.push(`  stray: ${task}: ${stray}`)
  }
  return lines.join('\n')
}

const indent = (text) => text.replace(/^/gm, '    ')

export function formatEnd({ results, stale, seconds }) {
  const count = (test) => results.filter(test).length
  const lines = stale.map(
    (one) => `STALE: ${one.id} no longer occurs in ${one.client} → ${one.server}, ${one.transport}: ${one.task}`,
  )
  const known = count(({ verdict }) => verdict === 'known')
  const fresh = count(({ verdict }) => verdict === 'new')
  const passed = count(({ outcome }) => outcome === 'pass')
  lines.push(`${passed} passed, ${known} known differences, ${fresh} new ones, ${stale.length} stale, in ${seconds} s`)
  return lines.join('\n')
}
