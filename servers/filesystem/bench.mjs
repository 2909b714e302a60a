/**
 * Ours against the original, in one run: search and tree over many files, and finding lines in them. Each call is made
 * several times, alternating; the best time of each counts.
 *
 *     node servers/filesystem/bench.mjs [FILES]
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { connect } from '@tenon/sdk/client'

const files = Number(process.argv[2] ?? 50_000)
const require = createRequire(import.meta.url)
const package_ = require.resolve('@modelcontextprotocol/server-filesystem/package.json')
const programs = {
  ours: [
    fileURLToPath(new URL('./bin/tenon-filesystem.js', import.meta.url)),
    '--max-items',
    '1000000',
    '--max-read',
    '1GB',
  ],
  original: [join(dirname(package_), 'dist/index.js')],
}

/** Ten files of 2 kB in a folder, ten folders in a folder. */
function plant(folder) {
  const line = 'export const value = compute(input, options) // and so on\n'
  for (let index = 0; index < files; index++) {
    const inner = join(
      folder,
      `a${Math.floor(index / 1000)}`,
      `b${Math.floor(index / 100) % 10}`,
      `c${Math.floor(index / 10) % 10}`,
    )
    if (index % 10 === 0) mkdirSync(inner, { recursive: true })
    const text = line.repeat(35) + (index % 500 === 0 ? 'here is the needle 42\n' : '')
    writeFileSync(join(inner, `f${index}.${index % 5 === 0 ? 'md' : 'ts'}`), text)
  }
}

async function timed(step) {
  const start = performance.now()
  const result = await step()
  return { ms: performance.now() - start, result }
}

/** Keeps the fastest of several runs of each, alternating, so that a busy moment hits both. */
async function compare(name, ours, original, runs = 5) {
  const best = { ours: Infinity, original: Infinity }
  let counts
  for (let run = 0; run < runs; run++) {
    const mine = await timed(ours)
    const its = await timed(original)
    best.ours = Math.min(best.ours, mine.ms)
    best.original = Math.min(best.original, its.ms)
    counts = [mine.result, its.result]
  }
  if (counts[0] !== counts[1]) throw new Error(`${name}: ${counts[0]} results, the original has ${counts[1]}`)
  const ratio = (best.original / best.ours).toFixed(1)
  console.log(`| ${name} | ${best.ours.toFixed(1)} ms | ${best.original.toFixed(1)} ms | ${ratio} × |`)
}

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tenon-files-bench-')))
const clients = []
try {
  plant(folder)
  const open = (args) => connect({ command: process.execPath, args: [...args, folder] }, { revisions: ['2025-11-25'] })
  const ours = await open(programs.ours)
  const original = await open(programs.original)
  clients.push(ours, original)
  const call = async (client, name, args) => {
    const { text, isError } = await client.callTool(name, args, { timeoutMs: 600_000 })
    if (isError) throw new Error(`${name}: ${text.slice(0, 300)}`)
    return text
  }
  const lines = (text) => text.split('\n').length
  const both = (name, tool, args, count, runs) =>
    compare(
      name,
      async () => count(await call(ours, tool, args)),
      async () => count(await call(original, tool, args)),
      runs,
    )
  console.log(`| ${files.toLocaleString('en')} files | ours | original | |\n| --- | ---: | ---: | ---: |`)
  await both('search_files `**/*.md`', 'search_files', { path: folder, pattern: '**/*.md' }, lines)
  await both('search_files, nothing found', 'search_files', { path: folder, pattern: '**/*.none' }, lines)
  await both('directory_tree', 'directory_tree', { path: folder }, lines)
  // Short calls are made often.
  await both('search_files in one folder', 'search_files', { path: join(folder, 'a0/b0/c0'), pattern: '*' }, lines, 300)
  const list = join(folder, 'a0/b0')
  await both('list_directory', 'list_directory', { path: list }, lines, 300)
  await both('list_directory_with_sizes', 'list_directory_with_sizes', { path: join(list, 'c0') }, lines, 300)
  await both('read_text_file', 'read_text_file', { path: join(list, 'c0/f1.ts') }, lines, 300)
  const mine = async (pattern, more) => {
    const text = await call(ours, 'grep_files', { path: folder, pattern, limit: 10_000, ...more })
    return text.split('\n').length
  }
  // The original has no such tool: a client has to find the files, read them all and look for itself.
  const its = async (pattern) => {
    const paths = (await call(original, 'search_files', { path: folder, pattern: '**/*.{md,ts}' })).split('\n')
    let found = 0
    for (let start = 0; start < paths.length; start += 1_000) {
      const text = await call(original, 'read_multiple_files', { paths: paths.slice(start, start + 1_000) })
      found += text.split('\n').filter((line) => pattern.test(line)).length
    }
    return found
  }
  await compare(
    'grep for a text',
    () => mine('the needle', { literal: true }),
    () => its(/the needle/),
    2,
  )
  await compare(
    'grep for a pattern',
    () => mine('needle \\d+$'),
    () => its(/needle \d+$/),
    2,
  )
} finally {
  for (const client of clients) await client.close()
  rmSync(folder, { recursive: true, force: true })
}
