import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Operation, ServerSpec } from '../src/protocol.ts'
import { everything, TestBench } from './workbench-in-test.suite.ts'

const operation: Operation = { method: 'tools/call', name: 'echo', arguments: { message: 'x' } }

test('a server whose program nobody agreed to is not started for a comparison', async () => {
  await using bench = await TestBench.open()
  const { server } = await bench.run('server.add', { spec: everything })
  await expect(bench.run('compare.start', { operation, sides: [{ server }, { server }] })).rejects.toThrow(
    'Nobody has agreed to start everything',
  )
})

test('a revision that nobody knows is refused, and so is half a comparison', async () => {
  await using bench = await TestBench.open({ servers: [everything], connect: false })
  const server = await bench.until((event) => (event.type === 'snapshot' ? event.snapshot.servers[0]?.id : undefined))
  const sides = [{ server }, { server, revision: '1999-01-01' }] as never
  await expect(bench.run('compare.start', { operation, sides })).rejects.toThrow('revision: expected one of')
  await expect(bench.run('compare.start', { operation, sides: [{ server }] as never })).rejects.toThrow('two sides')
})

test('when the workbench ends, the processes of comparisons and runs have ended', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'compare-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  // Says that it is there, and never answers.
  const script = `require('node:fs').writeFileSync(process.argv[1] + '/' + process.pid, ''); setInterval(() => {}, 1000)`
  const mute: ServerSpec = { kind: 'command', name: 'mute', command: process.execPath, args: ['-e', script, folder] }
  const bench = await TestBench.open({ servers: [mute], connect: false, calls: join(folder, 'calls') })
  const server = await bench.until((event) => (event.type === 'snapshot' ? event.snapshot.servers[0]?.id : undefined))
  await bench.run('compare.start', { operation, sides: [{ server }, { server }] })
  await bench.run('saved.put', { collection: 'x', call: { list: 'tools' }, server })
  await bench.run('saved.run', { collection: 'x.yaml' })
  const pids = async (): Promise<number[]> => (await readdir(folder)).map(Number).filter(Number.isInteger)
  await expect.poll(async () => (await pids()).length).toBe(3)
  await bench.inspector.close()
  for (const pid of await pids()) expect(() => process.kill(pid, 0)).toThrow('ESRCH')
})
