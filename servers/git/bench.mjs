/** The log of a repository with 10,000 commits, ours against the original in one run: `node servers/git/bench.mjs`. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { connect } from '@tenon/sdk/client'

const commits = 10_000
const rounds = 5
const original = fileURLToPath(new URL('../../.test-material/python/bin/mcp-server-git', import.meta.url))
const ours = fileURLToPath(new URL('./bin/tenon-git.js', import.meta.url))

const folder = mkdtempSync(join(tmpdir(), 'tenon-git-bench-'))
const git = (args, input) => {
  const { status, stderr } = spawnSync('git', args, { cwd: folder, input, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
}

function makeRepository() {
  git(['init', '--quiet', '--initial-branch=main'])
  const data = (text) => `data ${Buffer.byteLength(text)}\n${text}\n`
  const commit = (index) =>
    `commit refs/heads/main\ncommitter Ada <ada@example.org> ${1_700_000_000 + index * 60} +0000\n` +
    `${data(`change number ${index}\n\nIt says why, in a sentence or two of usual length.\n`)}` +
    `M 100644 inline file-${index % 50}.txt\n${data(`${index}\n`)}\n`
  git(['fast-import', '--quiet'], Array.from({ length: commits }, (_, index) => commit(index)).join(''))
  git(['reset', '--quiet', '--hard'])
}

/** The median time of a call in milliseconds, after one that does not count. */
async function time(client, tool, args) {
  const call = async () => {
    const begin = performance.now()
    const { isError, text } = await client.callTool(tool, { repo_path: folder, ...args }, { timeoutMs: 300_000 })
    if (isError) throw new Error(text)
    return performance.now() - begin
  }
  await call()
  const times = []
  for (let round = 0; round < rounds; round++) times.push(await call())
  return times.sort((a, b) => a - b)[Math.floor(rounds / 2)]
}

const rows = [
  [`log of ${commits} commits`, 'git_log', { max_count: commits }],
  ['log of 10 commits', 'git_log', { max_count: 10 }],
  ['status', 'git_status', {}],
  ['show HEAD', 'git_show', { revision: 'HEAD' }],
  ['diff with 1,000 commits ago', 'git_diff', { target: 'HEAD~1000' }],
]

try {
  makeRepository()
  const targets = [
    ...(existsSync(original) ? [{ name: 'original', command: original, args: ['--repository', folder] }] : []),
    { name: 'ours', command: process.execPath, args: [ours, folder, '--max-output', '100MB'] },
  ]
  const results = new Map()
  for (const { name, ...target } of targets) {
    const client = await connect(target)
    for (const [row, tool, args] of rows) results.set(`${name} ${row}`, await time(client, tool, args))
    await client.close()
  }
  process.stdout.write('| operation | original | ours | |\n| --- | ---: | ---: | ---: |\n')
  for (const [row] of rows) {
    const [theirs, own] = [results.get(`original ${row}`), results.get(`ours ${row}`)]
    const ratio = theirs === undefined ? '' : `${(theirs / own).toFixed(1)} times faster`
    process.stdout.write(`| ${row} | ${theirs?.toFixed(0) ?? '–'} ms | ${own.toFixed(0)} ms | ${ratio} |\n`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
