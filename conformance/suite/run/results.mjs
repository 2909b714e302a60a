import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { excusedChecks } from './scope.mjs'

const timestamp = /-\d{4}-\d\d-\d\dT[\d-]+Z$/

/** The checks of the scenarios with results in a directory. Others may be writing theirs at this moment. */
export function readResults(directory, scenarios, prefix = '') {
  if (!existsSync(directory)) return new Map()
  const files = readdirSync(directory, { recursive: true }).filter((file) => file.endsWith('checks.json'))
  const scenarioOf = (file) =>
    relative('.', dirname(file)).split(sep).join('/').replace(timestamp, '').slice(prefix.length)
  return new Map(
    files
      .filter((file) => scenarios.includes(scenarioOf(file)))
      .map((file) => [scenarioOf(file), JSON.parse(readFileSync(join(directory, file), 'utf8'))]),
  )
}

/** Judges a scenario: the passed checks, those left out with a reason, and all faults. */
export function judge(scenario, checks) {
  if (checks === undefined) return { ...nothing, problems: [{ kind: 'FAIL', text: 'the suite left no result' }] }
  const excuses = new Map(excusedChecks.filter((each) => each.scenario === scenario).map((each) => [each.check, each]))
  const excuseOf = ({ id, name }) => excuses.get(id) ?? excuses.get(name)
  const judged = checks.filter((check) => excuseOf(check) === undefined)
  const excused = checks.filter((check) => excuseOf(check) !== undefined)
  const passed = judged.filter(({ status }) => status === 'SUCCESS').length
  const unknown = [...excuses.keys()].filter(
    (name) => !checks.some((check) => check.id === name || check.name === name),
  )
  const stale = excused.filter(({ status }) => status === 'SUCCESS')
  const problems = [
    ...judged.flatMap(problemOf),
    ...stale.map(({ id }) => ({ kind: 'FAIL', text: `${id}: passes, so run/scope.mjs must not excuse it` })),
    ...unknown.map((name) => ({
      kind: 'FAIL',
      text: `${name}: excused in run/scope.mjs, but the suite has no such check`,
    })),
    ...(passed === 0 ? [{ kind: 'FAIL', text: 'no check passed' }] : []),
  ]
  return { passed, decided: judged.filter(isDecided).length, excused: excused.length, problems }
}

const nothing = { passed: 0, decided: 0, excused: 0 }
const kinds = new Map([
  ['FAILURE', 'FAIL'],
  ['WARNING', 'WARN'],
  ['SKIPPED', 'SKIP'],
])

const isDecided = ({ status }) => status === 'SUCCESS' || status === 'FAILURE' || status === 'WARNING'

function problemOf({ id, status, description, errorMessage }) {
  if (status === 'SUCCESS' || status === 'INFO') return []
  return [{ kind: kinds.get(status) ?? 'FAIL', text: `${id}: ${errorMessage ?? description}` }]
}
