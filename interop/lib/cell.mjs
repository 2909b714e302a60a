// One pair over one transport: starts the server, and a process with the client that runs the tasks.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { startBridged } from './bridged.mjs'
import { isExpectedToHang } from './judge.mjs'
import { eraOf, kindOf, workOf } from './matrix.mjs'
import { stop } from './servers.mjs'

const script = fileURLToPath(new URL('./client-process.mjs', import.meta.url))
const limitMs = 30_000
/** For tasks that are known to hang: long enough to notice that one does not any more. */
const shortLimitMs = 5_000

/** The results of some tasks, in order; `onResult` is called with each. */
export async function runCell(cell, taskNames, onResult) {
  // A server for one client only has to be started for every task.
  const groups = cell.server.server.perTask ? taskNames.map((name) => [name]) : [taskNames]
  for (const group of groups) await runGroup(cell, group, onResult)
}

const isBridged = ({ transport }) => kindOf(transport) === 'bridge'

async function runGroup(cell, taskNames, onResult) {
  let serving
  try {
    serving = await (isBridged(cell)
      ? startBridged(cell.server.server, cell)
      : cell.server.server.start(cell.transport))
  } catch (error) {
    for (const task of taskNames) onResult({ task, outcome: 'fail', message: error.message, ms: 0 })
    return
  }
  const hasBothEras = isBridged(cell) || cell.server.server.transports.includes(`${kindOf(cell.transport)}-2026`)
  const isKnown = cell.server.server.slowProbe === true
  const target = { ...serving.target, kind: kindOf(cell.near), era: eraOf(cell.near), hasBothEras, isKnown }
  const client = { script: cell.client.client.script, settings: cell.client.client.settings }
  const place = { client: cell.client.name, server: cell.server.name, transport: cell.transport }
  const shortly = taskNames.filter((task) => isExpectedToHang({ ...place, task }))
  const plan = { client, target, work: workOf(cell.server, serving.scratch), limitMs, shortLimitMs, shortly }
  try {
    // A client that ends its process loses one task, and the rest run in a new one.
    for (let left = taskNames; left.length > 0; )
      left = await runProcess({ ...plan, tasks: left }, serving.log, onResult)
  } finally {
    await serving.close()
  }
}

async function runProcess(plan, serverLog, onResult) {
  const child = spawn(process.execPath, [script, JSON.stringify(plan)], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes) => {
      output = (output + bytes).slice(-2_000)
    })
  let running
  const left = [...plan.tasks]
  child.on('message', (message) => {
    if (message.started) {
      running = message.started
      return
    }
    left.shift()
    running = undefined
    onResult({ ...message, output: output.trim(), serverLog: serverLog?.() })
    output = ''
  })
  const watchdog = setTimeout(() => child.kill('SIGKILL'), plan.tasks.length * 2 * limitMs)
  const [code, signal] = await once(child, 'close')
  clearTimeout(watchdog)
  await stop(child)
  if (left.length === 0) return []
  const task = running ?? left[0]
  onResult({ task, outcome: 'fail', message: `the client process ended (${signal ?? code}): ${output.trim()}`, ms: 0 })
  return left.slice(1)
}
