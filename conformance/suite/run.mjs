#!/usr/bin/env node
import { existsSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { installSuite } from './run/install.mjs'
import { parseList, planRuns } from './run/plan.mjs'
import { freePort, inParallel, run, startServer } from './run/processes.mjs'
import { printReport } from './run/report.mjs'
import { judge, readResults } from './run/results.mjs'
import { reasonToSkip } from './run/scope.mjs'

const usage = `Runs the official conformance suite against the library, and fails on any failure or warning.

  npm run conformance                       everything in scope
  npm run conformance -- --only <scenario>  one scenario, in every revision it applies to, even one out of scope
  npm run conformance -- --balanced         servers only: four processes that share a Redis, each request to the next of them
  npm run conformance -- --gateway          servers only: through a gateway
  npm run conformance -- --json             the results as JSON

Needs a build (npm run build). The suite is installed on first use, which needs the npm registry.
What is out of scope, and why: conformance/suite/run/scope.mjs. Raw results: conformance/suite/.suite/results.`

const here = fileURLToPath(new URL('.', import.meta.url))
const directory = join(here, '.suite')
const results = join(directory, 'results')
const serverFixture = join(here, 'dist', 'server.js')
const balancedProgram = join(here, '..', '..', 'scripts', 'balanced', 'run.mjs')
const gatewayFixture = join(here, 'dist', 'gateway.js')
const issuerFixture = join(here, 'dist', 'issuer.js')
// Relative to `here`: the suite splits the command at spaces.
const clientFixture = 'dist/client.js'

async function main() {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      balanced: { type: 'boolean', default: false },
      gateway: { type: 'boolean', default: false },
      json: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  })
  if (values.help) {
    console.log(usage)
    return 0
  }
  if (!existsSync(serverFixture) || !existsSync(join(here, clientFixture))) {
    throw new Error('The fixtures are not built: run `npm run build` first')
  }
  const started = performance.now()
  const suite = installSuite(directory)
  rmSync(results, { recursive: true, force: true })
  const report = await runSuite(suite, values)
  const whole = { ...report, seconds: (performance.now() - started) / 1000 }
  if (values.json) console.log(JSON.stringify(whole, null, 2))
  else printReport(whole)
  return report.ok ? 0 : 1
}

async function runSuite(suite, { only, balanced, gateway }) {
  const scenarios = await listScenarios(suite)
  const isServersOnly = balanced || gateway
  const runs = planRuns(scenarios, only).filter(({ side }) => !isServersOnly || side === 'server')
  if (runs.length === 0) throw new Error(`The suite has no scenario ${JSON.stringify(only)}`)
  const rows = [
    ...(await testServers(suite, runs, only, { balanced, gateway })),
    ...(await testIssuers(suite, runs)),
    ...(await testClients(suite, runs)),
  ]
  const controls = only === undefined && !isServersOnly ? await testControls(suite) : []
  const ok = rows.every(({ problems }) => problems.length === 0) && controls.every(({ red }) => red)
  const leftOut = only === undefined ? scenarios.flatMap(({ name }) => excuse(name, reasonToSkip(name))) : []
  return { ok, rows, leftOut, controls }
}

const excuse = (scenario, reason) => (reason === undefined ? [] : [{ scenario, reason }])

async function listScenarios(suite) {
  const { output } = await run([...suite, 'list'], here)
  const scenarios = parseList(output)
  if (scenarios.length === 0) throw new Error(`The suite did not list its scenarios:\n${output}`)
  return scenarios
}

const outputOf = ({ side, revision = 'extension', mode }) =>
  join(results, [side, revision, mode].join('-').replaceAll(' ', '-'))
const versionArgs = ({ revision }) => (revision === undefined ? [] : ['--spec-version', revision])

/** Servers: one process for each way to answer, one run of the suite for each revision. */
async function testServers(suite, runs, only, how) {
  const rows = []
  for (const mode of ['auto', 'sse']) {
    const mine = runs.filter((each) => each.side === 'server' && each.mode === mode)
    if (mine.length === 0) continue
    const server = await startFixture(mode, how)
    try {
      for (const each of mine) rows.push(...(await testServer(suite, server.url, each, only)))
    } finally {
      await server.stop()
    }
  }
  return rows
}

async function startFixture(mode, { balanced, gateway }) {
  const program = balanced ? [balancedProgram, serverFixture] : [serverFixture]
  const server = await startServer(program, { RESPONSE_MODE: mode })
  if (!gateway) return server
  const front = await startServer([gatewayFixture], { RESPONSE_MODE: mode, UPSTREAM_URL: server.url })
  const stop = async () => {
    await front.stop()
    await server.stop()
  }
  return { url: front.url, stop }
}

async function testServer(suite, url, each, only) {
  const command = [...suite, 'server', '--url', url, ...versionArgs(each), '-o', outputOf(each)]
  // Extensions are in no suite of the suite.
  const separate = only !== undefined || each.revision === undefined
  const selections = separate ? each.scenarios.map((name) => ['--scenario', name]) : [['--suite', 'all']]
  for (const selection of selections) await run([...command, ...selection], here)
  const found = readResults(outputOf(each), each.scenarios, 'server-')
  return each.scenarios.map((scenario) => rowOf(each, scenario, found.get(scenario)))
}

/** Authorization servers: one run of the suite for each revision, with a user who agrees to everything. */
async function testIssuers(suite, runs, fixture = issuerFixture) {
  const mine = runs.filter(({ side }) => side === 'authorization server')
  if (mine.length === 0) return []
  const issuer = await startServer([fixture])
  try {
    const rows = []
    for (const each of mine) rows.push(...(await testIssuer(suite, issuer.url, each)))
    return rows
  } finally {
    await issuer.stop()
  }
}

async function testIssuer(suite, url, each) {
  const command = [
    'authorization',
    '--url',
    url,
    '--client-id',
    'conformance',
    '--resource',
    'https://mcp.example.com/mcp',
  ]
  const port = String(await freePort())
  // Imported only after the check for a build.
  const { agree } = await import('@tenon/issuer')
  let said = ''
  let agreed
  const onText = (text) => {
    said += text
    // The suite prints the page before it listens for the answer: one who agrees at once would find nobody there.
    const page = /(https?:\/\/\S+\?response_type=code\S*)\n/.exec(said)?.[1]
    if (page !== undefined && said.includes('Callback server started'))
      agreed ??= agree(page)
        .then(fetch)
        .catch((error) => console.error(`Nobody agreed: ${error.message}`))
  }
  // The code grant builds on the metadata, so they run together.
  await run([...suite, ...command, '--port', port, ...versionArgs(each), '-o', outputOf(each)], here, onText)
  await agreed
  const found = readResults(outputOf(each), each.scenarios, 'authorization-server-')
  return each.scenarios.map((scenario) => rowOf(each, scenario, found.get(scenario)))
}

/** Clients: one run of the suite for each scenario, which then reports the exit code of the client too. */
async function testClients(suite, runs) {
  const jobs = runs
    .filter(({ side }) => side === 'client')
    .flatMap((each) => each.scenarios.map((scenario) => () => testClient(suite, each, scenario)))
  return inParallel(availableParallelism(), jobs)
}

async function testClient(suite, each, scenario, fixture = clientFixture) {
  const command = ['client', '--command', `node ${fixture}`, '--scenario', scenario]
  const { code, output } = await run([...suite, ...command, ...versionArgs(each), '-o', outputOf(each)], here)
  const row = rowOf(each, scenario, readResults(outputOf(each), [scenario]).get(scenario))
  if (code === 0 || row.problems.length > 0) return row
  return { ...row, problems: [{ kind: 'FAIL', text: `the client failed:\n${output}` }] }
}

const rowOf = ({ side, revision, mode }, scenario, checks) => ({
  side,
  revision,
  mode,
  scenario,
  ...judge(scenario, checks),
})

/** Wrong servers and a wrong client have to fail, or the rest proves nothing. */
async function testControls(suite) {
  const revision = '2026-07-28'
  const server = await startServer([join(here, 'run', 'wrong', 'server.mjs')])
  try {
    const wrongServer = { side: 'server', revision, mode: 'wrong', scenarios: ['tools-call-simple-text'] }
    const wrongClient = { side: 'client', revision, mode: 'wrong' }
    const wrongIssuer = {
      side: 'authorization server',
      revision,
      mode: 'wrong',
      scenarios: ['authorization-server-metadata-endpoint', 'authorization-code-grant'],
    }
    const rows = [
      ...(await testServer(suite, server.url, wrongServer, 'tools-call-simple-text')),
      await testClient(suite, wrongClient, 'tools_call', 'run/wrong/client.mjs'),
      ...(await testIssuers(suite, [wrongIssuer], join(here, 'run', 'wrong', 'issuer.mjs'))),
    ]
    return rows.map(({ side, scenario, passed, decided, problems }) => ({
      name: `a wrong ${side} (${scenario})`,
      red: problems.length > 0 && passed < decided,
    }))
  } finally {
    await server.stop()
  }
}

try {
  process.exitCode = await main()
} catch (error) {
  console.error(error.message)
  process.exitCode = 2
}
