import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadCallsFile, runCalls } from '@tenon/replay'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { BenchEvent, SavedResult, SavedRun } from '../src/protocol.ts'
import { everything, TestBench } from './workbench-in-test.suite.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'saved-calls-'))
})
afterEach(() => rm(folder, { recursive: true }))

const onlyServer = async (bench: TestBench): Promise<string> =>
  bench.until((event) => (event.type === 'snapshot' ? event.snapshot.servers[0]?.id : undefined))

/** Runs a file, and gives its results. `decide` is asked about programs. */
async function finished(
  bench: TestBench,
  start: () => Promise<{ run: string }>,
  decide?: boolean,
): Promise<{ run: SavedRun; results: SavedResult[] }> {
  const results: SavedResult[] = []
  const news: BenchEvent[] = []
  let id: string | undefined
  let begun = false
  for await (const event of bench.events()) {
    news.push(event)
    if (!begun) {
      begun = true
      id = (await start()).run
    }
    if (event.type !== 'saved-run' || event.run.id !== id) continue
    results.push(...event.results)
    const { challenge, state } = event.run
    if (challenge !== undefined && decide !== undefined) {
      await bench.run('saved.agree', { run: event.run.id, challenge: challenge.id, agreed: decide })
    }
    if (state !== 'running') return { run: event.run, results }
  }
  throw new Error('The stream ended')
}

describe('saved calls', () => {
  test('a call of the page becomes a file that others can run, without the secrets of the server', async () => {
    const calls = join(folder, 'not', 'there', 'yet')
    const secret = { ...everything, env: { API_KEY: 'correct horse' } }
    await using bench = await TestBench.open({ servers: [secret], calls, connect: false })
    const server = await onlyServer(bench)
    const call = { tool: 'add', arguments: { a: 2, b: 3 }, expect: { structured: { sum: 5 }, schema: true } }
    const { collection, index } = await bench.run('saved.put', { collection: 'Sums & more', call, server })
    expect([collection.id, collection.title, collection.servers, index]).toEqual([
      'sums-more.yaml',
      'Sums & more',
      ['everything'],
      0,
    ])

    const path = join(calls, 'sums-more.yaml')
    const text = await readFile(path, 'utf8')
    expect(text).not.toContain('correct horse')
    expect(text).toContain(`API_KEY: \${env.API_KEY}`)
    expect((await stat(path)).mode & 0o077).toBe(0)
    expect(await readdir(calls)).toEqual(['sums-more.yaml'])
    const { passed, failed } = await runCalls(await loadCallsFile(path), { env: { API_KEY: 'x' } })
    expect([passed, failed]).toEqual([1, 0])
  })

  test('editing a call leaves the rest of the file as people wrote it', async () => {
    const text = `# ours
tenonCalls: 1
servers: { everything: { config: everything } }
calls:
  # the first
  - tool: add # adds
    arguments: { a: 1, b: 2 }
  - list: tools
`
    await writeFile(join(folder, 'ours.yaml'), text)
    await using bench = await TestBench.open({ calls: folder })
    const { collections } = await bench.run('saved.list', {})
    expect(collections[0]?.calls.map(({ source }) => source)).toEqual([
      { tool: 'add', arguments: { a: 1, b: 2 } },
      { list: 'tools' },
    ])
    const call = { tool: 'add', arguments: { a: 1, b: 2 }, expect: { text: { contains: '3' } } }
    await bench.run('saved.put', { collection: 'ours.yaml', index: 0, call })
    const edited = await readFile(join(folder, 'ours.yaml'), 'utf8')
    for (const kept of ['# ours', '# the first', '- tool: add # adds', 'arguments: { a: 1, b: 2 }', '- list: tools']) {
      expect(edited).toContain(kept)
    }
    await bench.run('saved.remove', { collection: 'ours.yaml', index: 0 })
    expect(await readFile(join(folder, 'ours.yaml'), 'utf8')).toContain('- list: tools')
    expect(await readFile(join(folder, 'ours.yaml'), 'utf8')).not.toContain('tool: add')
  })

  test('what is no right call is refused with its place, and the file stays', async () => {
    await using bench = await TestBench.open({ calls: folder })
    const call = { tol: 'add' }
    await expect(bench.run('saved.put', { collection: 'x', call })).rejects.toThrow('did you mean tool?')
    expect(await readdir(folder)).toEqual([])
  })

  test.each(['../x.yaml', '/etc/passwd', '.hidden.yaml', 'a/b.yaml', 'x.sh', 'a\\..\\b.yaml'])(
    'the name %s does not lead out of the folder',
    async (collection) => {
      await using bench = await TestBench.open({ calls: folder })
      for (const command of ['saved.text', 'saved.delete', 'saved.run'] as const) {
        await expect(bench.run(command, { collection })).rejects.toThrow(/is no name for a file/)
      }
      await expect(bench.run('saved.write', { collection, text: '' })).rejects.toThrow(/is no name for a file/)
    },
  )

  test('a run gives what passed, and what failed with the difference, in each revision', async () => {
    await using bench = await TestBench.open({ servers: [everything], calls: folder })
    const server = await onlyServer(bench)
    const right = {
      tool: 'add',
      arguments: { a: 2, b: 3 },
      expect: { structured: { sum: 5 } },
      capture: { total: 'structured.sum' },
    }
    await bench.run('saved.put', { collection: 'runs', call: right, server })
    const wrong = { tool: 'echo', arguments: { message: `It costs \${total}` }, expect: { text: { contains: '6' } } }
    await bench.run('saved.put', { collection: 'runs.yaml', call: wrong, server })
    const wish = { collection: 'runs.yaml', calls: [1], revisions: ['2026-07-28', '2025-06-18'] }
    const { run, results } = await finished(bench, () => bench.run('saved.run', wish))
    // The first was not requested, and is made all the same: the second uses its captured value.
    expect([run.state, run.total]).toEqual(['done', 4])
    expect(results.map(({ name, revision, status }) => [name, revision, status])).toEqual([
      ['tool add', '2026-07-28', 'passed'],
      ['tool echo', '2026-07-28', 'failed'],
      ['tool add', '2025-06-18', 'passed'],
      ['tool echo', '2025-06-18', 'failed'],
    ])
    expect(results[1]?.failures).toMatchObject([{ path: 'text', expected: { contains: '6' }, found: 'It costs 5' }])
    // Its messages are in the timeline, as those of the server that it stands for.
    const { total } = await bench.run('timeline.query', {
      query: 'server:everything method:tools/call kind:request',
      offset: 0,
      count: 9,
    })
    expect(total).toBe(4)
  })

  test('a program that only a file names is started after somebody has agreed, and not before', async () => {
    const proof = join(folder, 'started')
    const script = `require('node:fs').writeFileSync(${JSON.stringify(proof)}, '')`
    const server = { command: process.execPath, args: ['-e', script] }
    const text = JSON.stringify({ tenonCalls: 1, servers: { it: server }, calls: [{ list: 'tools' }] })
    await using bench = await TestBench.open({ calls: folder })
    await bench.run('saved.write', { collection: 'foreign.json', text })
    const no = await finished(bench, () => bench.run('saved.run', { collection: 'foreign.json' }), false)
    expect(no.results[0]?.failures[0]?.message).toContain('Nobody agreed to start')
    await expect(stat(proof)).rejects.toThrow()
    const yes = await finished(bench, () => bench.run('saved.run', { collection: 'foreign.json' }), true)
    expect(yes.results[0]?.status).toBe('failed')
    await stat(proof)
  })
})
