#!/usr/bin/env node
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { clearProgress, progress, UsageError } from '../scripts/command-line.mjs'
import { readArgs, usage } from './lib/args.mjs'
import { writeDocs } from './lib/docs.mjs'
import { implementation, implementations, isPeer } from './lib/implementations.mjs'
import { machine } from './lib/machine.mjs'
import { measureScenario } from './lib/measure.mjs'
import { peerVersions, preparePeers } from './lib/peers.mjs'
import { formatProfiles } from './lib/profile.mjs'
import { judge } from './lib/rows.mjs'
import { formatScenario } from './lib/terminal.mjs'
import { scenarios } from './scenarios/index.mjs'

const results = fileURLToPath(new URL('./results/', import.meta.url))
const allNames = implementations.map(({ name }) => name)
const allScenarios = scenarios.map(({ name }) => name)

async function main() {
  const args = readArgs(process.argv.slice(2), allNames, allScenarios)
  if (args.help) {
    const lists = { '{implementations}': allNames.join(', '), '{scenarios}': allScenarios.join(', ') }
    console.log(usage.replace(/\{\w+\}/g, (name) => lists[name]))
    return 0
  }
  const asked = args.only.filter((name) => !(implementation(name).full && args.quick && args.everyImplementation))
  const peers = asked.filter(isPeer)
  const measured = peers.length === 0 ? [] : preparePeers(peers, (text) => progress(`bench: ${text}`, true))
  const names = asked.filter((name) => !isPeer(name) || measured.includes(name))
  const report = await measureAll(args, names)
  mkdirSync(results, { recursive: true })
  writeFileSync(`${results}latest.json`, `${JSON.stringify(report, null, 2)}\n`)
  if (args.json) console.log(JSON.stringify(report, null, 2))
  if (args.write) writeDocs(report)
  return finish(report, args)
}

async function measureAll(args, names) {
  const started = performance.now()
  const plan = { ...args, say: progress, ...(args.profile && { profileFolder: `${results}profiles` }) }
  if (args.profile) rmSync(plan.profileFolder, { recursive: true, force: true })
  const report = { machine: machine(), versions: peerVersions(), quick: args.quick, rows: [], failures: [] }
  for (const scenario of askedFor(args)) {
    const { rows, failures, windows } = await measureScenario(scenario, names, plan)
    const judged = rows.filter(({ results }) => Object.keys(results).length > 0).map(judge)
    report.rows.push(...judged)
    report.failures.push(...failures)
    clearProgress()
    if (!args.json && judged.length > 0) console.log(formatScenario(judged))
    for (const { implementation, message } of failures)
      progress(`FAILED ${scenario.name}, ${implementation}: ${message}`, true)
    if (args.profile) console.error(formatProfiles(plan.profileFolder, scenario.name, judged, windows))
  }
  return { ...report, seconds: Math.round((performance.now() - started) / 1000) }
}

/** The scenarios and their rows; --quick leaves out the slow ones, unless they are named. */
function askedFor({ quick, scenarios: named, everyScenario, everyRow, row: text }) {
  const isScenario = ({ name, slow }) => named.includes(name) && !(slow && quick && everyScenario)
  const isRow = ({ id, full }) => (text === undefined ? everyRow || !(full && quick) : id.includes(text))
  return scenarios
    .filter(isScenario)
    .map((scenario) => ({ ...scenario, rows: scenario.rows.filter(isRow) }))
    .filter(({ rows }) => rows.length > 0)
}

/** A wrong answer of ours or of the limit fails the run; an unsupported feature of a peer is only reported. */
function finish({ rows, failures, seconds }, { json }) {
  const verdicts = rows.flatMap((row) => row.verdicts).filter(({ reached }) => reached !== undefined)
  const reached = verdicts.filter((one) => one.reached).length
  if (!json) console.log(`\n${reached} of ${verdicts.length} targets reached, in ${seconds} s`)
  if (rows.length === 0) progress('bench: nothing was measured', true)
  return rows.length === 0 || failures.length > 0 ? 1 : 0
}

main().then(
  (code) => {
    process.exitCode = code
  },
  (error) => {
    clearProgress()
    console.error(error instanceof UsageError ? `${error.message}\nTry npm run bench -- --help` : error)
    process.exitCode = error instanceof UsageError ? 2 : 1
  },
)
