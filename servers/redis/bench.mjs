/** This server against the original, in one run: node servers/redis/bench.mjs */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { connect } from '@tenon/sdk/client'
import { Redis } from 'ioredis'

const rounds = 10
const callsPerRound = 1_000
const keyCount = 100_000

const manifest = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-redis/package.json')
const original = join(dirname(manifest), Object.values(JSON.parse(readFileSync(manifest, 'utf8')).bin)[0])
const programs = { tenon: fileURLToPath(new URL('bin/tenon-redis.js', import.meta.url)), original }
const folder = mkdtempSync(join(tmpdir(), 'tenon-redis-bench-'))

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  await new Promise((resolve) => server.close(resolve))
  return port
}

async function timed(work) {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** The mean time in milliseconds that one command of the work keeps Redis from everybody else. */
async function blockedBy(raw, command, work) {
  await raw.config('RESETSTAT')
  await work()
  const [, microseconds] = new RegExp(`cmdstat_${command}:.*usec_per_call=([\\d.]+)`).exec(
    await raw.info('commandstats'),
  )
  return Number(microseconds) / 1_000
}

async function oneByOne(first, work) {
  for (let index = first; index < first + callsPerRound; index++) await work(index)
}

async function allAtOnce(first, work) {
  const parallel = 32
  await Promise.all(
    Array.from({ length: parallel }, async (_, start) => {
      for (let index = start; index < callsPerRound; index += parallel) await work(first + index)
    }),
  )
}

async function listAll(client, isOriginal, pattern, limit) {
  let found = 0
  let cursor
  do {
    const page = isOriginal ? { pattern } : { pattern, limit, ...(cursor && { cursor }) }
    const { text, structured } = await client.callTool('list', page)
    found += isOriginal ? text.split('\n').length - 1 : structured.keys.length
    cursor = structured?.nextCursor
  } while (cursor !== undefined)
  return found
}

/** A program and what it does for each row: milliseconds. */
async function contestant(name, program, port, database, raw) {
  const isOriginal = name === 'original'
  const target = {
    command: process.execPath,
    args: [program, `redis://127.0.0.1:${port}/${database}`],
    stderr: 'ignore',
  }
  const client = await connect(target, { revisions: ['2025-11-25'], timeoutMs: 600_000 })
  const set = (index) => client.callTool('set', { key: `bench:${index}`, value: `value ${index}` })
  const get = (index) => client.callTool('get', { key: `bench:${index}` })
  const checked = async (pattern, limit, expected) => {
    const found = await listAll(client, isOriginal, pattern, limit)
    if (found !== expected) throw new Error(`${name}: ${found} keys instead of ${expected}`)
  }
  const all = () => checked('user:*', 100_000, keyCount)
  const rare = () => checked('user:1234?:*', 1_000, 10)
  const rows = {
    '10,000 sets, one after the other': (round) => timed(() => oneByOne(round * callsPerRound, set)),
    '10,000 gets, one after the other': (round) => timed(() => oneByOne(round * callsPerRound, get)),
    '10,000 sets, 32 at once': (round) => timed(() => allAtOnce(round * callsPerRound, set)),
    '10,000 gets, 32 at once': (round) => timed(() => allAtOnce(round * callsPerRound, get)),
    '10 × list without arguments (ours: the first page)': () => timed(() => client.callTool('list', {})),
    '10 × list of 100,000 keys, all pages': () => timed(all),
    '10 × list of 10 keys among 110,000': () => timed(rare),
    '… one command of which blocks Redis for': async () =>
      (await blockedBy(raw, isOriginal ? 'keys' : 'scan', rare)) / rounds,
  }
  await raw.select(database)
  await raw.eval(`for i = 1, ${keyCount} do redis.call('SET', 'user:' .. i .. ':profile', 'x') end`, 0)
  return { client, rows }
}

/** Round by round in turns, so that other programs of the machine disturb both alike. */
async function compare(contestants) {
  const sums = {}
  for (const row of Object.keys(contestants.tenon.rows)) {
    sums[row] = { tenon: 0, original: 0 }
    for (let round = 0; round < rounds; round++) {
      for (const name of ['tenon', 'original']) sums[row][name] += await contestants[name].rows[row](round)
    }
  }
  return sums
}

const port = await freePort()
const args = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', '', '--appendonly', 'no']
const redis = spawn('redis-server', args, { stdio: 'ignore' })
const raw = new Redis(port, '127.0.0.1')
raw.on('error', () => {})
try {
  const contestants = {}
  for (const [database, [name, program]] of Object.entries(programs).entries()) {
    contestants[name] = await contestant(name, program, port, database, raw)
  }
  const sums = await compare(contestants)
  console.log('| | tenon | original | |\n| --- | --- | --- | --- |')
  for (const [row, { tenon, original }] of Object.entries(sums)) {
    console.log(`| ${row} | ${tenon.toFixed(1)} ms | ${original.toFixed(1)} ms | ${(original / tenon).toFixed(1)} × |`)
  }
  for (const { client } of Object.values(contestants)) await client.close()
} finally {
  raw.disconnect()
  redis.kill()
  rmSync(folder, { recursive: true, force: true })
}
