/**
 * A query of 10,000 rows, ours against the original on the same PostgreSQL server, in one run:
 * node servers/postgres/bench.mjs postgres://USER:PASSWORD@HOST/NAME
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { connect } from '@tenon/sdk/client'

const rounds = 9
const manifest = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-postgres/package.json')
const original = join(dirname(manifest), Object.values(JSON.parse(readFileSync(manifest, 'utf8')).bin)[0])
const ours = fileURLToPath(new URL('bin/tenon-postgres.js', import.meta.url))
const [database] = process.argv.slice(2)
if (database === undefined) {
  process.stderr.write('Name a database: node servers/postgres/bench.mjs postgres://USER:PASSWORD@HOST/NAME\n')
  process.exit(2)
}

const wide = `SELECT n AS id, 'customer ' || n AS name, n % 2 = 0 AS active, n * 1.5 AS amount, now() AS at,
  jsonb_build_object('n', n) AS doc FROM generate_series(1, 10000) AS n`
const rows = [
  ['10,000 rows of 6 columns', wide],
  ['10,000 rows of 1 column', 'SELECT generate_series(1, 10000) AS n'],
  ['1 row', 'SELECT 1 AS n'],
]
const programs = {
  original: [original, database],
  ours: [ours, database, '--max-rows', '10000', '--max-result', '100MB', '--allow-superuser'],
}

async function time(client, sql) {
  const times = []
  for (let round = 0; round <= rounds; round++) {
    const begin = performance.now()
    const { isError, text } = await client.callTool('query', { sql })
    if (isError) throw new Error(text)
    if (round > 0) times.push(performance.now() - begin)
  }
  return times.sort((a, b) => a - b)[Math.floor(rounds / 2)]
}

const results = new Map()
for (const [name, args] of Object.entries(programs)) {
  const begin = performance.now()
  const client = await connect({ command: process.execPath, args, stderr: 'ignore' }, { revisions: ['2024-11-05'] })
  await client.callTool('query', { sql: 'SELECT 1' })
  results.set(`${name} start and first answer`, performance.now() - begin)
  for (const [row, sql] of rows) results.set(`${name} ${row}`, await time(client, sql))
  await client.close()
}
process.stdout.write('| operation | original | ours | |\n| --- | ---: | ---: | ---: |\n')
for (const row of [...rows.map(([name]) => name), 'start and first answer']) {
  const [theirs, own] = [results.get(`original ${row}`), results.get(`ours ${row}`)]
  const ratio = `${(theirs / own).toFixed(1)} times as fast`
  process.stdout.write(`| ${row} | ${theirs.toFixed(1)} ms | ${own.toFixed(1)} ms | ${ratio} |\n`)
}
