/** This server against the original, in one run: node servers/memory/bench.mjs */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { connect } from '@tenon/sdk/client'

const entityCount = 100_000
const writeCount = 1_000

const manifest = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-memory/package.json')
const original = join(dirname(manifest), Object.values(JSON.parse(readFileSync(manifest, 'utf8')).bin)[0])
const tenon = fileURLToPath(new URL('bin/tenon-memory.js', import.meta.url))
const programs = { tenon: [tenon], 'tenon, --sync later': [tenon, '--sync', 'later'], original: [original] }
const folder = mkdtempSync(join(tmpdir(), 'tenon-memory-bench-'))

const words = Array.from({ length: 20_000 }, (_, index) => `w${((index * 2_654_435_761) % 4_294_967_296).toString(36)}`)
const sentence = (seed, length) =>
  Array.from({ length }, (_, at) => words[(seed * 31 + at * at * 17) % words.length]).join(' ')
const entity = (index) => ({
  name: `person ${index}`,
  entityType: 'person',
  observations: [sentence(index, 9), sentence(index + 7, 9)],
})

function largeFile(name) {
  const file = join(folder, name)
  const lines = Array.from({ length: entityCount }, (_, index) => JSON.stringify({ type: 'entity', ...entity(index) }))
  writeFileSync(file, lines.join('\n'))
  return file
}

const open = (args, file) =>
  connect(
    { command: process.execPath, args, env: { MEMORY_FILE_PATH: file }, stderr: 'ignore' },
    { revisions: ['2025-11-25'], timeoutMs: 600_000 },
  )

async function timed(work) {
  const start = performance.now()
  await work()
  return performance.now() - start
}

const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]

async function repeated(count, work) {
  const times = []
  for (let index = 0; index < count; index++) times.push(await timed(() => work(index)))
  return median(times)
}

const create = (client, index) => client.callTool('create_entities', { entities: [entity(index)] })

async function measure(name, program) {
  const isOriginal = name === 'original'
  const results = {}
  const small = join(folder, `${name}-small.jsonl`)
  let client = await open(program, small)
  results['1,000 writes, one after the other'] = await timed(async () => {
    for (let index = 0; index < writeCount; index++) await create(client, index)
  })
  await client.close()
  client = await open(program, join(folder, `${name}-parallel.jsonl`))
  results['1,000 writes at once'] = await timed(() =>
    Promise.all(Array.from({ length: writeCount }, (_, index) => create(client, index))),
  )
  const { structured } = await client.callTool('read_graph')
  results['of them kept'] = structured.entities.length
  await client.close()

  const large = largeFile(`${name}-large.jsonl`)
  results['start and first answer, 100,000 entities'] = await timed(async () => {
    client = await open(program, large)
    await client.callTool('open_nodes', { names: ['person 5'] })
  })
  const count = isOriginal ? 7 : 50
  results['first search right after the start'] = await timed(() =>
    client.callTool('search_nodes', { query: 'person 4711' }),
  )
  // The index of a large memory is filled in the background; until then everything is looked through.
  if (!isOriginal) await new Promise((resolve) => setTimeout(resolve, 10_000))
  results['search for a name, 100,000 entities'] = await repeated(count, (index) =>
    client.callTool('search_nodes', { query: `person ${5_000 + index}` }),
  )
  results['search for two words, 100,000 entities'] = await repeated(count, (index) =>
    client.callTool('search_nodes', { query: sentence(index + 40, 2) }),
  )
  results['write, 100,000 entities'] = await repeated(count, (index) => create(client, entityCount + index))
  await client.close()
  return results
}

try {
  const measured = {}
  for (const [name, program] of Object.entries(programs)) measured[name] = await measure(name, program)
  const show = (value, row) => (row === 'of them kept' ? String(value) : `${value.toFixed(1)} ms`)
  console.log(`| | ${Object.keys(measured).join(' | ')} | |`)
  console.log(`| --- |${' --- |'.repeat(Object.keys(measured).length + 1)}`)
  for (const row of Object.keys(measured.tenon)) {
    const values = Object.values(measured).map((results) => show(results[row], row))
    const ratio = row === 'of them kept' ? '' : `${(measured.original[row] / measured.tenon[row]).toFixed(1)} ×`
    console.log(`| ${row} | ${values.join(' | ')} | ${ratio} |`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
