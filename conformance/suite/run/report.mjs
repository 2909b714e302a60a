import { excusedChecks, outOfScope } from './scope.mjs'

const label = ({ side, revision = 'extension', mode }) =>
  `${side} ${revision}${mode === 'sse' ? ' (event streams)' : ''}`

/** One line per scenario, then those left out, then the sum. */
export function printReport({ rows, leftOut, controls, seconds }) {
  let heading
  for (const row of rows) {
    if (label(row) !== heading) {
      heading = label(row)
      console.log(`\n${heading}`)
    }
    printRow(row)
  }
  printLeftOut(leftOut, new Set(rows.map(({ scenario }) => scenario)))
  for (const { name, red } of controls) {
    console.log(
      `${red ? 'ok  ' : 'FAIL'} control: ${name} ${red ? 'fails, as it has to' : 'passes: nothing is tested'}`,
    )
  }
  printSum(rows, seconds)
}

function printRow({ scenario, passed, decided, excused, problems }) {
  const verdict = problems.length === 0 ? 'ok  ' : problems[0].kind
  const left = excused > 0 ? `, ${excused} left out` : ''
  console.log(`  ${verdict} ${scenario.padEnd(46)} ${`${passed}/${decided}`.padStart(5)}${left}`)
  for (const { kind, text } of problems) console.log(`       ${kind} ${text}`)
}

function printLeftOut(leftOut, judged) {
  const checks = excusedChecks.filter(({ scenario }) => judged.has(scenario))
  console.log(leftOut.length + checks.length > 0 ? '\nleft out (run/scope.mjs)' : '')
  for (const { pattern, reason } of outOfScope) {
    const count = leftOut.filter(({ scenario }) => pattern.test(scenario)).length
    if (count > 0) console.log(`  ${String(count).padStart(2)} scenarios ${pattern.source}: ${reason}`)
  }
  for (const { scenario, check, reason } of checks) console.log(`   1 check ${scenario} ${check}: ${reason}`)
  if (leftOut.length + checks.length > 0) console.log()
}

function printSum(rows, seconds) {
  const sum = (of) => rows.reduce((total, row) => total + of(row), 0)
  const good = sum(({ problems }) => (problems.length === 0 ? 1 : 0))
  const count = (kind) => sum(({ problems }) => problems.filter((problem) => problem.kind === kind).length)
  console.log(
    `${good}/${rows.length} runs of scenarios, ${sum(({ passed }) => passed)}/${sum(({ decided }) => decided)} checks; ` +
      `${count('FAIL')} failures, ${count('WARN')} warnings, ${count('SKIP')} unexplained skips; ${seconds.toFixed(1)} s`,
  )
}
