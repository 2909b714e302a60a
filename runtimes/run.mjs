// Runs the smoke tests of the built package on other runtimes, and across them.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { checkApps } from './apps/chromium.mjs'
import { checkInstall } from './install/install.mjs'
import { checkIssuer } from './issuer/chromium.mjs'
import { checkChromium } from './smoke/chromium.mjs'
import { browserType, executable, installedChromium } from './tools.mjs'

const help = `Usage: node runtimes/run.mjs [--only install,node,bun,deno,chromium,apps,issuer] [--json]

Runs the smoke tests of packages/sdk/dist (npm run build) on Node, Bun, Deno and in Chromium, across Node and the
others, and with views (MCP Apps) and consent pages in Chromium. Installs the packed tarballs into an empty project, for
compilers, bundlers, Bun, Deno and several releases of Node. Installs the runtimes it needs into runtimes/.tools, and Chromium with apt-get if it may.

  --only   only these, separated by commas
  --json   prints the results as JSON
  --help   prints this

Exit code: 0 if everything passed, 1 if something failed, 2 if the command line makes no sense.`

const denoArgs = ['run', '--node-modules-dir=manual', '--allow-all']
const runtimes = new Map([
  ['node', { command: () => process.execPath, args: [] }],
  ['bun', { command: () => executable('bun'), args: [] }],
  ['deno', { command: () => executable('deno'), args: denoArgs }],
])
const browsers = new Map([
  ['chromium', checkChromium],
  ['apps', checkApps],
  ['issuer', checkIssuer],
])
const all = ['install', ...runtimes.keys(), ...browsers.keys()]
const root = fileURLToPath(new URL('..', import.meta.url))
const limitMs = 90_000

async function main() {
  const options = readOptions()
  if (options.help) return console.log(help)
  const only = options.only?.split(',') ?? all
  const unknown = only.find((name) => !all.includes(name))
  if (unknown !== undefined) return misuse(`--only: expected some of ${all.join(', ')}, got ${unknown}`)
  const groups = []
  for (const name of only) {
    const inBrowser = browsers.get(name)
    const found = name === 'install' ? [runInstall] : inBrowser ? [() => runChromium(name, inBrowser)] : groupsOf(name)
    for (const group of found) groups.push(await timed(group))
  }
  if (options.json) console.log(JSON.stringify(groups, undefined, 2))
  else print(groups)
  if (groups.some(({ results }) => results.some(({ ok }) => !ok))) process.exitCode = 1
}

function readOptions() {
  const flag = { type: 'boolean' }
  try {
    return parseArgs({ options: { help: flag, json: flag, only: { type: 'string' } } }).values
  } catch (error) {
    return misuse(error.message)
  }
}

function misuse(message) {
  console.error(`${message}\n\n${help}`)
  process.exit(2)
}

const groupsOf = (name) => [
  () => runCheck(name),
  ...(name === 'node' ? [] : [() => runAcross('node', name), () => runAcross(name, 'node')]),
]

async function timed(run) {
  const start = performance.now()
  const group = await run()
  return { ...group, ms: Math.round(performance.now() - start) }
}

async function runCheck(name) {
  return { name: `${name} ${await versionOf(name)}`, results: await resultsOf(start(name, 'check')) }
}

async function runAcross(client, server) {
  const serving = start(server, 'serve')
  try {
    const lines = createInterface({ input: serving.stdout })
    const [url] = await Promise.race([once(lines, 'line'), once(serving, 'exit').then(() => [undefined])])
    const results = url
      ? await resultsOf(start(client, 'call', url))
      : [failed(`the server on ${server} did not start`)]
    return { name: `${client} client, ${server} server`, results }
  } finally {
    serving.stdin.end()
    await exitOf(serving, 5_000)
  }
}

async function runInstall() {
  try {
    return { name: 'installed tarballs', ...(await checkInstall()) }
  } catch (error) {
    return { name: 'installed tarballs', results: [failed(`the installation: ${error.message}`)] }
  }
}

async function runChromium(what, check) {
  const { path, missing } = installedChromium()
  const name = what === 'chromium' ? what : `${what} in chromium`
  if (missing) return { name, results: [], skipped: missing }
  try {
    const { version, results } = await check(await browserType(), path)
    return { name: `${name} ${version ?? ''}`.trim(), results }
  } catch (error) {
    return { name, results: [failed(`the browser: ${error.message}`)] }
  }
}

function start(name, ...args) {
  const runtime = runtimes.get(name)
  const script = fileURLToPath(new URL(`./smoke/${name}.mjs`, import.meta.url))
  return spawn(runtime.command(), [...runtime.args, script, ...args], { cwd: root, stdio: ['pipe', 'pipe', 'inherit'] })
}

/** The results of a program; that it ends by itself is one of the checks. */
async function resultsOf(child) {
  let output = ''
  child.stdin.end()
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text
  })
  const exit = await exitOf(child, limitMs)
  try {
    const results = JSON.parse(output.trim().split('\n').at(-1))
    return exit === 0 ? results : [...results, failed(`the program ends by itself: ${exit}`)]
  } catch {
    return [failed(`the program prints its results: it ended with ${exit}`)]
  }
}

/** The exit code or signal of a process, which is killed after a while. */
async function exitOf(child, patienceMs) {
  if (child.exitCode !== null) return child.exitCode
  const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs)
  const [code, signal] = await once(child, 'exit')
  clearTimeout(timer)
  return signal ?? code
}

async function versionOf(name) {
  const child = spawn(runtimes.get(name).command(), ['--version'], { stdio: ['ignore', 'pipe', 'ignore'] })
  let output = ''
  child.stdout.on('data', (bytes) => {
    output += bytes
  })
  await once(child, 'close')
  return /\d+\.\d+\.\d+/.exec(output)?.[0] ?? 'of unknown version'
}

const failed = (name) => ({ name, ok: false, error: 'failed', ms: 0 })

function print(groups) {
  const width = Math.max(...groups.map(({ name }) => name.length))
  for (const { name, results, ms, skipped } of groups) {
    const passed = results.filter(({ ok }) => ok).length
    const what = skipped ? `skipped: ${skipped}` : `${passed} of ${results.length} passed, ${(ms / 1000).toFixed(1)} s`
    console.log(`${name.padEnd(width)}  ${what}`)
    for (const { name, ok, error } of results) if (!ok) console.log(`  FAILED ${name}\n    ${error}`)
  }
}

await main()
