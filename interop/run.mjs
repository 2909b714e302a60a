#!/usr/bin/env node
import { mkdirSync, writeFileSync } from 'node:fs'
import { clearProgress, progress, UsageError } from '../scripts/command-line.mjs'
import { readArgs, usage } from './lib/args.mjs'
import { runCell } from './lib/cell.mjs'
import { writeDocs } from './lib/docs.mjs'
import { preparePeers } from './lib/install.mjs'
import { judge, staleOnes } from './lib/judge.mjs'
import { cellsOf, notOffered, transports } from './lib/matrix.mjs'
import { formatCell, formatEnd } from './lib/terminal.mjs'
import { peers, quickPeers } from './peers/index.mjs'
import { tasks } from './tasks/index.mjs'
import { balancedTenon, tenon } from './tenon/peer.mjs'

const folder = new URL('./results/', import.meta.url)
const names = {
  peers: peers.map(({ name }) => name),
  transports,
  tasks: tasks.map(({ name }) => name),
  quickPeers,
}

async function main() {
  const args = readArgs(process.argv.slice(2), names)
  if (args.help) {
    const lists = { peers: names.peers, transports, tasks: names.tasks, quick: quickPeers }
    console.log(usage.replace(/\{(\w+)\}/g, (_, name) => lists[name].join(', ')))
    return 0
  }
  const known = [tenon, ...peers]
  const subject = args.balanced ? balancedTenon : known.find(({ name }) => name === args.as)
  const chosen = preparePeers(
    peers.filter(({ name }) => args.only.includes(name)),
    (text) => progress(`interop: ${text}`, true),
  )
  const started = performance.now()
  const cells = cellsOf(subject, chosen, args)
  const results = await runAll(cells, args)
  const stale = args.as === 'tenon' ? staleOnes(results) : []
  const report = { results, stale, seconds: Math.round((performance.now() - started) / 1000) }
  mkdirSync(folder, { recursive: true })
  writeFileSync(new URL('latest.json', folder), `${JSON.stringify(report, null, 2)}\n`)
  clearProgress()
  if (args.json) console.log(JSON.stringify(report, null, 2))
  else console.log(formatEnd(report))
  if (args.write) writeDocs(report, known, tasks)
  return results.length === 0 || stale.length > 0 || results.some(({ verdict }) => verdict === 'new') ? 1 : 0
}

/** Runs all cells, some at a time; each is shown as soon as it is complete. */
async function runAll(cells, args) {
  const results = []
  const waiting = [...cells]
  let done = 0
  const worker = async () => {
    for (let cell = waiting.shift(); cell !== undefined; cell = waiting.shift()) {
      const own = await tryCell(cell, args, () => progress(`${done} of ${cells.length} pairs; ${cell.name}`))
      results.push(...own)
      done++
      clearProgress()
      if (!args.json && own.length > 0) console.log(formatCell(cell, own))
    }
  }
  await Promise.all(Array.from({ length: args.jobs }, worker))
  return results
}

async function tryCell(cell, args, onStep) {
  const own = []
  const place = { client: cell.client.name, server: cell.server.name, transport: cell.transport }
  const asked = tasks.filter(({ name }) => args.tasks.includes(name))
  const tried = asked.filter((task) => notOffered(cell, task) === undefined)
  for (const task of asked) {
    const why = notOffered(cell, task)
    if (why) own.push({ ...place, task: task.name, outcome: 'not offered', by: why, verdict: 'fine' })
  }
  onStep()
  await runCell(
    cell,
    tried.map(({ name }) => name),
    (result) => {
      own.push(judge({ ...place, ...result }))
      onStep()
    },
  )
  return own
}

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))

main().then(
  (code) => {
    process.exitCode = code
  },
  (error) => {
    clearProgress()
    console.error(error instanceof UsageError ? `${error.message}\nTry npm run interop -- --help` : error)
    process.exitCode = error instanceof UsageError ? 2 : 1
  },
)
