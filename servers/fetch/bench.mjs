// Ours against the original, in one run: a page of 20 kB on this machine, as a whole and in 5 parts.
//   node servers/fetch/bench.mjs
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { connect } from '@tenon/sdk/client'

const paragraph = '<p>Rivers carry water from the mountains to the sea, and everything that people throw into them.</p>'
const page = `<html><title>Rivers</title><body><article>${paragraph.repeat(200)}</article></body></html>`
const site = createServer((_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(page))
await new Promise((resolve) => site.listen(0, '127.0.0.1', resolve))
const url = `http://127.0.0.1:${site.address().port}/`

const file = (path) => fileURLToPath(new URL(path, import.meta.url))
const flags = ['--allow-private-ips', '--ignore-robots-txt']
const servers = [
  ['original', { command: file('../../.test-material/python/bin/mcp-server-fetch'), args: flags }],
  ['ours', { command: process.execPath, args: [file('bin/tenon-fetch.js'), ...flags] }],
]

async function measure(work) {
  const start = performance.now()
  await work()
  return performance.now() - start
}

const rows = []
for (const [name, target] of servers) {
  const client = await connect(target)
  await client.callTool('fetch', { url, max_length: 100 })
  const whole = await measure(() => client.callTool('fetch', { url, max_length: 500_000 }))
  const parts = await measure(async () => {
    for (let start = 0; start < 5; start++) {
      await client.callTool('fetch', { url, max_length: 4_000, start_index: start * 4_000 })
    }
  })
  rows.push({ name, whole, parts })
  await client.close()
}
site.close()

const [original, ours] = rows
console.log('| | original | ours | ratio |\n| --- | --- | --- | --- |')
for (const [label, key] of [
  ['one page, whole', 'whole'],
  ['one page, in 5 parts', 'parts'],
]) {
  const ratio = (original[key] / ours[key]).toFixed(1)
  console.log(`| ${label} | ${original[key].toFixed(0)} ms | ${ours[key].toFixed(0)} ms | ${ratio} |`)
}
