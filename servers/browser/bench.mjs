// Ours against the original, in one run: opening a page on this machine, and a screenshot of it.
//   node servers/browser/bench.mjs
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { connect } from '@tenon/sdk/client'
import { findChromium } from '../../scripts/programs.mjs'

const item = (n) => `<li><a href="/${n}">Item ${n}</a> <button>Take</button></li>`
const list = Array.from({ length: 200 }, (_, n) => item(n)).join('')
const page = `<title>List</title><style>li { color: #246 }</style><h1>List</h1><ul>${list}</ul>`
const site = createServer((_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(page))
await new Promise((resolve) => site.listen(0, '127.0.0.1', resolve))
const url = `http://127.0.0.1:${site.address().port}/`

const manifest = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-puppeteer/package.json')
const original = fileURLToPath(new URL('dist/index.js', `file://${manifest}`))
const launch = { headless: true, executablePath: findChromium(), args: ['--no-sandbox'] }
const ours = fileURLToPath(new URL('bin/tenon-browser.js', import.meta.url))
const servers = [
  ['original', [original], { PUPPETEER_LAUNCH_OPTIONS: JSON.stringify(launch), ALLOW_DANGEROUS: 'true' }],
  ['ours', [ours, '--no-sandbox', '--allow-private', '127.0.0.1'], {}],
]

const rounds = 20
async function time(work) {
  const start = performance.now()
  await work()
  return performance.now() - start
}
const median = (times) => times.sort((a, b) => a - b)[Math.floor(times.length / 2)]

const clients = []
const rows = []
for (const [name, args, env] of servers) {
  const client = await connect({ command: process.execPath, args, env }, { revisions: ['2024-11-05'] })
  clients.push(client)
  rows.push({ name, first: await time(() => client.callTool('puppeteer_navigate', { url })) })
}
// In turns, so that a busy moment of the machine meets both.
for (const [key, tool, args] of [
  ['navigate', 'puppeteer_navigate', { url }],
  ['screenshot', 'puppeteer_screenshot', { name: 'page' }],
]) {
  const times = clients.map(() => [])
  for (let round = 0; round < rounds; round++) {
    for (const [index, client] of clients.entries()) times[index].push(await time(() => client.callTool(tool, args)))
  }
  for (const [index, row] of rows.entries()) row[key] = median(times[index])
}
for (const client of clients) await client.close()
site.close()

const [theirs, mine] = rows
console.log('| | original | ours | ratio |\n| --- | --- | --- | --- |')
for (const [label, key] of [
  ['first page, with the start of Chromium', 'first'],
  ['open a page', 'navigate'],
  ['screenshot', 'screenshot'],
]) {
  const ratio = (theirs[key] / mine[key]).toFixed(1)
  console.log(`| ${label} | ${theirs[key].toFixed(0)} ms | ${mine[key].toFixed(0)} ms | ${ratio} |`)
}
