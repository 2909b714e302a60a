import { homedir } from 'node:os'
import { pathToFileURL } from 'node:url'
import type { Root } from '@tenon/sdk/client'
import { describe, expect, test } from 'vitest'
import { connected, reach, serverThat } from './tasks.suite.ts'
import { everything, TestBench } from './workbench-in-test.suite.ts'

const told = 'method:notifications/roots/list_changed'

/** The roots that the server reads. */
async function listedBy(bench: TestBench, server: string): Promise<string> {
  const operation = { method: 'tools/call' as const, name: 'list_roots', arguments: {} }
  const { call: id } = await bench.run('call.start', { server, operation })
  const outcome = await bench.until((event) => {
    const calls = event.type === 'snapshot' ? event.snapshot.calls : event.type === 'call' ? [event.call] : []
    return calls.find((call) => call.id === id)?.outcome
  })
  return JSON.stringify(outcome)
}

describe.each([
  ['2025-06-18', 'stdio'],
  ['2025-11-25', 'stdio'],
  ['2025-11-25', 'http'],
  ['2026-07-28', 'stdio'],
  ['2026-07-28', 'http'],
] as const)('roots of %s over %s', (revision, transport) => {
  test('are changed while connected: the server is told where it can be, and gets them when it asks', async () => {
    await using way = await reach(revision, transport)
    await using bench = await TestBench.open({ servers: [way.spec] })
    const { id: server, since } = await connected(bench)
    await bench.run('server.setRoots', { server, roots: [{ uri: '/srv/some place', name: 'mine' }] })
    expect(await listedBy(bench, server)).toContain('mine: file:///srv/some%20place')
    const { total } = await bench.run('timeline.query', { query: told, offset: 0, count: 1 })
    expect(total).toBe(revision === '2026-07-28' ? 0 : 1)
    const view = await serverThat(bench, ({ rootsAskedAt }) => rootsAskedAt !== undefined)
    expect(view).toMatchObject({ status: 'connected', since, spec: { roots: [{ name: 'mine' }] } })
    await bench.run('server.setRoots', { server, roots: [] })
    expect(await listedBy(bench, server)).toContain('The client has no roots.')
  })
})

test('paths become URIs, and what cannot be a root is refused with words', async () => {
  await using bench = await TestBench.open({ servers: [everything] })
  const { id: server } = await connected(bench)
  const set = (...roots: unknown[]): Promise<unknown> =>
    bench.run('server.setRoots', { server, roots: roots as Root[] })
  await set({ uri: ' ~/code ' }, { uri: 'file:///srv/a%20b', name: ' ' }, { uri: '/srv/50% #1' })
  const { spec } = await serverThat(bench, (view) => view.spec.roots !== undefined)
  expect(spec.roots).toEqual([
    { uri: pathToFileURL(`${homedir()}/code`).href },
    { uri: 'file:///srv/a%20b' },
    { uri: 'file:///srv/50%25%20%231' },
  ])
  await expect(set({ uri: 'code' })).rejects.toThrow('roots[0].uri: expected a whole path, or a URI')
  await expect(set({ uri: 'https://example.com/' })).rejects.toThrow('roots[0].uri: expected a whole path, or a URI')
  await expect(set({ uri: 'file://home/me' })).rejects.toMatchObject({
    problem: { message: expect.stringContaining('another machine, home'), hint: 'Did you mean file:///home/me?' },
  })
  await expect(set({ uri: '/srv' }, { uri: 'file:///srv' })).rejects.toThrow('roots[1].uri: file:///srv is there twice')
  await expect(set({})).rejects.toThrow('roots[0].uri: expected a text, got undefined')
})

test('roots of a server that is not connected are kept for when it is', async () => {
  await using bench = await TestBench.open({ servers: [everything] })
  const { id: server } = await connected(bench)
  await bench.run('server.disconnect', { server })
  await bench.run('server.setRoots', { server, roots: [{ uri: '/srv/later' }] })
  await bench.run('server.connect', { server })
  await connected(bench)
  expect(await listedBy(bench, server)).toContain('file:///srv/later')
})
