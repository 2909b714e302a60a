import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { UsageError } from '../scripts/command-line.mjs'
import { differences } from './differences.mjs'
import { readArgs } from './lib/args.mjs'
import { formatResults } from './lib/docs.mjs'
import { isExpectedToHang, judge, staleOnes } from './lib/judge.mjs'
import { cellsOf, notOffered, transports } from './lib/matrix.mjs'
import { peers, quickPeers } from './peers/index.mjs'
import { tasks } from './tasks/index.mjs'
import { balancedTenon, tenon } from './tenon/peer.mjs'

const place = { client: 'tenon', server: 'old', transport: 'stdio', task: 'cancel' }
const known = [{ id: 'a', title: 'A', reason: 'Because.', where: [{ server: 'old', task: 'cancel' }], says: /no end/ }]

describe('verdicts', () => {
  test('a failure is known by its place and its message', () => {
    const failed = (message, task = 'cancel') => judge({ ...place, task, outcome: 'fail', message }, known)
    expect(failed('no end after 5 s')).toMatchObject({ verdict: 'known', difference: 'a' })
    expect(failed('something else').verdict).toBe('new')
    expect(failed('no end after 5 s', 'call').verdict).toBe('new')
  })

  test('a known difference that did not occur is stale, unless it occurs only sometimes', () => {
    const passed = [{ ...place, outcome: 'pass' }]
    expect(staleOnes(passed, known)).toEqual([{ id: 'a', ...place }])
    expect(staleOnes(passed, [{ ...known[0], sometimes: true }])).toEqual([])
    expect(staleOnes([{ ...place, outcome: 'not offered' }], known)).toEqual([])
  })

  test('only what is known to have no end gets little time', () => {
    expect(isExpectedToHang(place, known)).toBe(true)
    expect(isExpectedToHang({ ...place, server: 'new' }, known)).toBe(false)
    expect(isExpectedToHang(place, [{ ...known[0], sometimes: true }])).toBe(false)
    expect(isExpectedToHang(place, [{ ...known[0], says: /wrong text/ }])).toBe(false)
  })
})

describe('the matrix', () => {
  const everything = { transports, sides: ['client', 'server'] }

  test('every pair has Tenon on one side and a transport that both have', () => {
    const cells = cellsOf(tenon, peers, everything)
    expect(cells.every(({ client, server }) => (client === tenon) !== (server === tenon))).toBe(true)
    expect(cells.map(({ name }) => name)).toContain('sdk-v1.5 → tenon, websocket')
    expect(cells.map(({ name }) => name)).not.toContain('sdk-v1.5 → tenon, http')
  })

  test('the bridge is between pairs that work directly, with the transports that both sides have', () => {
    const cells = cellsOf(tenon, peers, everything)
    const bridged = cells.filter(({ transport }) => transport.startsWith('bridge'))
    expect(bridged.find(({ name }) => name === 'sdk-v1.5 → tenon, bridge')).toMatchObject({
      near: 'stdio',
      far: 'http',
    })
    expect(bridged.find(({ name }) => name === 'tenon → go-sdk, bridge-2026')).toMatchObject({
      ...{ near: 'http-2026', far: 'stdio-2026' },
    })
    for (const { client, server, transport } of bridged)
      expect(cells.some((one) => one.client === client && one.server === server && one.transport !== transport)).toBe(
        true,
      )
  })

  test('every peer is in it, and every task is tried with somebody on both sides', () => {
    const cells = cellsOf(tenon, peers, everything)
    for (const peer of peers) expect(cells.some(({ client, server }) => client === peer || server === peer)).toBe(true)
    for (const task of tasks) {
      expect(
        cells.some((cell) => cell.client === tenon && !notOffered(cell, task)),
        task.name,
      ).toBe(true)
      expect(
        cells.some((cell) => cell.server === tenon && !notOffered(cell, task)),
        task.name,
      ).toBe(true)
    }
  })

  test('differences name places that exist', () => {
    const names = new Set([tenon, ...peers].map(({ name }) => name))
    for (const { where } of differences) {
      for (const { client = [], server = [], transport = [], task } of where) {
        for (const name of [client, server].flat()) expect(names).toContain(name)
        for (const name of [transport].flat()) expect(transports).toContain(name)
        expect(tasks.map(({ name }) => name)).toContain(task)
      }
    }
  })

  test('tasks show requirements that exist', () => {
    const table = readFileSync(new URL('../conformance/spec/requirements.tsv', import.meta.url), 'utf8')
    const ids = table.split('\n').map((line) => line.split('\t')[1])
    for (const { shows = [] } of tasks) for (const id of shows) expect(ids).toContain(id)
  })

  test('the quick share is part of the whole', () => {
    for (const name of quickPeers) expect(peers.map((peer) => peer.name)).toContain(name)
  })
})

describe('the command line', () => {
  const names = { peers: ['a', 'b'], transports: ['stdio'], tasks: ['call'], quickPeers: ['b'] }

  test('names are checked, and --quick chooses unless --only does', () => {
    expect(readArgs(['--quick'], names).only).toEqual(['b'])
    expect(readArgs(['--quick', '--only', 'a'], names).only).toEqual(['a'])
    expect(() => readArgs(['--only', 'c'], names)).toThrow('--only: expected some of a, b; got "c"')
    expect(() => readArgs(['--jobs', '0'], names)).toThrow(UsageError)
  })

  test('behind a balancer Tenon is the server, over HTTP, without tasks of one process', () => {
    const { sides } = readArgs(['--balanced'], names)
    expect(sides).toEqual(['server'])
    const cells = cellsOf(balancedTenon, peers, { transports, sides })
    expect([...new Set(cells.map(({ transport }) => transport))]).toEqual(['http', 'http-2026'])
    const left = tasks.filter((task) => balancedTenon.server.lacks(task.name)).map(({ name }) => name)
    expect(left).toHaveLength(4)
  })

  test('tables are only written from all results', () => {
    expect(() => readArgs(['--write', '--quick'], names)).toThrow('--write')
    expect(readArgs(['--write'], names).write).toBe(true)
  })
})

test('the page shows what passed, what differs with its number, and what is not offered', () => {
  const some = [
    { name: 'call', title: 'call', about: 'calls' },
    { name: 'cancel', title: 'cancel', about: 'cancels' },
    { name: 'big', title: 'big', about: 'sends much' },
  ]
  const results = [
    { ...place, task: 'call', outcome: 'pass', verdict: 'fine', revision: '2025-06-18' },
    { ...place, outcome: 'fail', verdict: 'known', difference: 'a' },
    { ...place, task: 'big', outcome: 'not offered', verdict: 'fine' },
  ]
  const page = formatResults({ results }, [{ name: 'old', title: 'Old' }], some, known)
  expect(page).toContain('| Old | stdio | 2025-06-18 | ✓ | [1](#differences) | · |')
  expect(page).toContain('1. **A.** Because.')
  expect(page).toContain('2 pieces of work in 1 pairs')
})
