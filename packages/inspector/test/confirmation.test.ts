import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { CommandSpec } from '../src/protocol.ts'
import { TestBench } from './workbench-in-test.suite.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenon-inspector-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** A program that leaves a trace. */
const touching = (file: string): CommandSpec => ({
  kind: 'command',
  name: 'toucher',
  command: process.execPath,
  args: ['-e', `require('node:fs').writeFileSync(${JSON.stringify(file)}, '')`],
  env: { KEY: 'secret value' },
})

const hasEnded = (bench: TestBench): Promise<string> =>
  bench.until((event) => {
    const servers = event.type === 'snapshot' ? event.snapshot.servers : event.type === 'server' ? [event.server] : []
    return servers.find(({ status }) => status === 'failed' || status === 'closed')?.status
  })

describe('a program that the page wants to start', () => {
  test('is not started before a person has agreed to exactly this one', async () => {
    await using bench = await TestBench.open()
    const file = join(folder, 'started')
    const { server } = await bench.run('server.add', { spec: touching(file) })
    const { challenge } = await bench.run('server.connect', { server })
    expect(challenge).toMatchObject({ command: process.execPath, env: { KEY: 'secret value' } })
    expect(existsSync(file)).toBe(false)

    const ended = hasEnded(bench)
    await bench.run('server.confirm', { challenge: challenge!.id })
    await ended
    expect(existsSync(file)).toBe(true)
    expect(await bench.run('server.connect', { server })).toEqual({})
  })

  test('an agreement is good for one use, and not for what was changed meanwhile', async () => {
    await using bench = await TestBench.open()
    const file = join(folder, 'started')
    const { server } = await bench.run('server.add', { spec: touching(join(folder, 'shown')) })
    const { challenge } = await bench.run('server.connect', { server })
    await bench.run('server.update', { server, spec: touching(file) })
    await expect(bench.run('server.confirm', { challenge: challenge!.id })).rejects.toThrow(
      'changed after it was shown',
    )
    await expect(bench.run('server.confirm', { challenge: challenge!.id })).rejects.toThrow('not valid any more')
    await expect(bench.run('server.confirm', { challenge: 'made-up' })).rejects.toThrow('not valid any more')
    expect(existsSync(file)).toBe(false)
  })

  test('another argument, variable or folder has to be agreed to again', async () => {
    const spec = touching(join(folder, 'started'))
    await using bench = await TestBench.open({ servers: [spec] })
    const others: CommandSpec[] = [
      { ...spec, args: [...spec.args!, 'more'] },
      { ...spec, env: { ...spec.env, NODE_OPTIONS: '--require=evil.js' } },
      { ...spec, cwd: folder },
      { ...spec, args: [spec.args!.join(' ')] },
    ]
    for (const other of others) {
      const { server } = await bench.run('server.add', { spec: other })
      expect(await bench.run('server.connect', { server })).toHaveProperty('challenge')
    }
    const { server } = await bench.run('server.add', { spec: { ...spec, name: 'the same' } })
    expect(await bench.run('server.connect', { server })).toEqual({})
  })

  test('secrets stay in the backend unless somebody asks, and survive an edit', async () => {
    await using bench = await TestBench.open()
    const spec = touching(join(folder, 'started'))
    const { server } = await bench.run('server.add', { spec })
    const shown = await bench.until((event) => (event.type === 'snapshot' ? event.snapshot.servers[0] : undefined))
    expect(JSON.stringify(shown)).not.toContain('secret value')
    await bench.run('server.update', { server, spec: { ...(shown.spec as CommandSpec), name: 'renamed' } })
    expect((await bench.run('server.reveal', { server })).spec).toEqual({ ...spec, name: 'renamed' })
  })

  test('a header that was kept does not follow the URL to another origin', async () => {
    await using bench = await TestBench.open()
    const spec = {
      kind: 'url' as const,
      name: 'api',
      url: 'http://127.0.0.1:9/mcp',
      headers: { 'X-Key': 'secret value' },
    }
    const { server } = await bench.run('server.add', { spec })
    const shown = await bench.until((event) => (event.type === 'snapshot' ? event.snapshot.servers[0] : undefined))
    await bench.run('server.update', {
      server,
      spec: { ...(shown.spec as typeof spec), url: 'http://127.0.0.1:10/mcp' },
    })
    expect((await bench.run('server.reveal', { server })).spec).toEqual({
      ...spec,
      url: 'http://127.0.0.1:10/mcp',
      headers: {},
    })
  })
})
