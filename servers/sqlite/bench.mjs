/** This server against the original, in one run: node servers/sqlite/bench.mjs (after scripts/install-test-material) */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { connect } from '@tenon/sdk/client'

const rows = 10_000
const rounds = 10
const turns = 3
const folder = mkdtempSync(join(tmpdir(), 'tenon-sqlite-bench-'))
const bin = fileURLToPath(new URL('bin/tenon-sqlite.js', import.meta.url))
const python = fileURLToPath(new URL('../../.test-material/python/bin/mcp-server-sqlite', import.meta.url))

const servers = {
  tenon: { command: process.execPath, args: [bin, join(folder, 'tenon.db')] },
  original: { command: python, args: ['--db-path', join(folder, 'original.db')] },
}

const fill = `INSERT INTO orders SELECT NULL, 'customer ' || abs(random() % 500), round(abs(random() % 100000) / 100.0, 2), date('2026-01-01', '+' || abs(random() % 300) || ' days')
  FROM (WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT ${rows}) SELECT x FROM c)`

const jobs = {
  [`query of ${rows.toLocaleString('en')} rows`]: (client, name) =>
    client.callTool('read_query', { query: 'SELECT * FROM orders', ...(name === 'tenon' && { limit: rows }) }),
  'query of 100 rows': (client) => client.callTool('read_query', { query: 'SELECT * FROM orders LIMIT 100' }),
  'query of one row': (client) => client.callTool('read_query', { query: 'SELECT * FROM orders WHERE id = 77' }),
  'sum over a group': (client) =>
    client.callTool('read_query', {
      query: 'SELECT customer, sum(amount) AS s FROM orders GROUP BY 1 ORDER BY 2 DESC LIMIT 10',
    }),
  'insert of a row': (client) =>
    client.callTool('write_query', { query: "INSERT INTO orders VALUES (NULL, 'x', 1, '2026-01-01')" }),
  'list of tables': (client) => client.callTool('list_tables', {}),
}

async function opened(name) {
  const began = performance.now()
  const client = await connect(servers[name], { revisions: ['2025-11-25'] })
  await client.callTool('list_tables', {})
  return { client, ms: performance.now() - began }
}

/** Processor time of a process and of those that it started, in milliseconds. Only Linux tells. */
function processorTime(pid) {
  const stats = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        return [{ pid: Number(name), fields: readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1].split(' ') }]
      } catch {
        return []
      }
    })
  const own = stats.filter(({ pid: one, fields }) => one === pid || Number(fields[1]) === pid)
  // Fields 14 to 17 of the line: its own time, and that of children that ended, in hundredths of a second.
  return own.reduce((sum, { fields }) => sum + fields.slice(11, 15).reduce((a, b) => a + Number(b), 0) * 10, 0)
}

/** The servers take turns, so that a busy moment of the machine meets all of them. */
async function timeAll(run) {
  const names = Object.keys(clients)
  const times = new Map(names.map((name) => [name, { wall: [], processor: 0 }]))
  for (let round = 0; round < rounds; round++) {
    for (const name of names) {
      const before = isLinux ? processorTime(clients[name].pid) : 0
      const began = performance.now()
      for (let turn = 0; turn < turns; turn++) {
        const { isError, text } = await run(clients[name].client, name)
        if (isError || /^(?:Database error|Error):/.test(text)) throw new Error(text)
      }
      const taken = times.get(name)
      taken.wall.push((performance.now() - began) / turns)
      if (isLinux) taken.processor += processorTime(clients[name].pid) - before
    }
  }
  return times
}

const isLinux = process.platform === 'linux'
const clients = {}
const starts = new Map()
for (const name of Object.keys(servers)) {
  const { client, ms } = await opened(name)
  clients[name] = { client, pid: pidOf(name) }
  starts.set(name, ms)
  await client.callTool('create_table', {
    query: 'CREATE TABLE orders (id INTEGER PRIMARY KEY, customer TEXT, amount REAL, day TEXT)',
  })
  await client.callTool('write_query', { query: fill })
}

/** The process that this one started for a server. */
function pidOf(name) {
  if (!isLinux) return 0
  const database = servers[name].args.at(-1)
  for (const pid of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
      if (command.includes(database)) return Number(pid)
    } catch {
      // The process ended meanwhile.
    }
  }
  return 0
}

const median = (times) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]
const row = (job, [own, theirs], [ownProcessor, theirProcessor]) => {
  const processor =
    ownProcessor > 0
      ? `${ownProcessor.toFixed(1)} ms, ${theirProcessor.toFixed(1)} ms | ${(theirProcessor / ownProcessor).toFixed(1)} × |`
      : '| |'
  console.log(
    `| ${job} | ${own.toFixed(1)} ms | ${theirs.toFixed(1)} ms | ${(theirs / own).toFixed(1)} × | ${processor}`,
  )
}

console.log('| | tenon | original | | processor time | |\n| --- | --- | --- | --- | --- | --- |')
row('start and first answer', [...starts.values()], [0, 0])
for (const [job, run] of Object.entries(jobs)) {
  const times = [...(await timeAll(run)).values()]
  const processor = times.map((one) => one.processor / rounds / turns)
  row(
    job,
    times.map(({ wall }) => median(wall)),
    processor,
  )
}
for (const { client } of Object.values(clients)) await client.close()
rmSync(folder, { recursive: true, force: true })
