import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from '@tenon/sdk/client'
import { describe, expect, test } from 'vitest'
import { original, read, serve, start, think } from './helpers.ts'

const resourcesOf = async (client: Client): Promise<string[]> =>
  (await client.listResources()).resources.map(({ uri }) => uri).filter((uri) => uri.startsWith('thoughts:'))

/** Everything that a stranger may try with the id of another client's chain. */
async function expectHidden(stranger: Client, chain: string): Promise<void> {
  const missing = (await stranger.callTool('read_thoughts', { chain: '0'.repeat(32) })).text
  const refusal = (await stranger.callTool('read_thoughts', { chain })).text
  expect(refusal).toBe(missing.replace('0'.repeat(32), chain))
  await expect(think(stranger, 'intruder', 2, { chain })).rejects.toThrow('There is no chain')
  await expect(stranger.readResource(`thoughts://chain/${chain}`)).rejects.toMatchObject({
    message: expect.stringMatching(/not found/i),
  })
  await expect(stranger.readResource(`thoughts://chain/${chain}/tree`)).rejects.toMatchObject({
    message: expect.stringMatching(/not found/i),
  })
  expect((await stranger.callTool('forget_thoughts', { chain })).structured).toEqual({ forgotten: false })
  expect((await stranger.callTool('show_thoughts', { chain })).isError).toBe(true)
  expect(await resourcesOf(stranger)).not.toContain(`thoughts://chain/${chain}`)
}

describe.each(['2025-11-25', '2026-07-28'] as const)('over HTTP in %s', (revision) => {
  test('two clients never see the thoughts of each other', async () => {
    const url = await serve('--disable-thought-logging')
    const ada = await start(url, revision)
    const bob = await start(url, revision)
    const { chain } = await think(ada, 'of Ada')
    const other = await think(bob, 'of Bob')
    expect(other).toMatchObject({ thoughtHistoryLength: 1, branches: [] })
    expect(other.chain).not.toBe(chain)
    expect(await think(ada, 'more', 2, { chain })).toMatchObject({ chain, thoughtHistoryLength: 2 })
    expect((await read(ada, { chain })).thoughts.map(({ thought }) => thought)).toEqual(['of Ada', 'more'])
    expect(await resourcesOf(bob)).not.toContain(`thoughts://chain/${chain}`)
    const listed = JSON.stringify([await bob.callTool('read_thoughts', {}), await bob.listResources()])
    expect(listed).not.toContain('of Ada')
    expect(listed).not.toContain(chain)
  })

  test('with tokens, a chain is bound to the principal that began it, also for one who knows its id', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tenon-thinking-'))
    try {
      const tokens = join(folder, 'tokens')
      writeFileSync(tokens, 'ada 0123456789abcdef-ada\nbob 0123456789abcdef-bob\n')
      const url = await serve('--disable-thought-logging', '--token-file', tokens)
      const as = (name: string) => start(url, revision, { authorization: `Bearer 0123456789abcdef-${name}` })
      const [ada, bob] = await Promise.all([as('ada'), as('bob')])
      const { chain } = await think(ada, 'of Ada')
      await expectHidden(bob, chain)
      const again = await as('ada')
      expect((await read(again, { chain })).total).toBe(1)
      expect(await resourcesOf(again)).toEqual([`thoughts://chain/${chain}`])
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

test('without sessions a later thought without its chain is told so', async () => {
  const client = await start(await serve('--disable-thought-logging'), '2026-07-28')
  const { chain } = await think(client, 'first')
  const { text, structured } = await client.callTool('sequentialthinking', {
    ...{ thought: 'second', thoughtNumber: 2, totalThoughts: 2, nextThoughtNeeded: false },
  })
  expect(text).toContain('begins a new chain')
  expect(structured).not.toMatchObject({ chain })
})

test('the original keeps one history for all: a second problem counts the thoughts of the first', async () => {
  const client = await start(original)
  await think(client, 'of one problem')
  expect(await think(client, 'of another one')).toMatchObject({ thoughtHistoryLength: 2 })
})
