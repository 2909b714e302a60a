import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lintSnapshot } from '@tenon/host/lint'
import { expect, onTestFinished, test } from 'vitest'
import { SeenDefinitions } from './seen-definitions.ts'

const snapshotOf = (description: string) =>
  lintSnapshot({ tools: [{ name: 'read', description, inputSchema: { type: 'object' } }] })
const [first, second, third] = [snapshotOf('one'), snapshotOf('two'), snapshotOf('three')]

test('changes are told from the last visit, whatever happens during this one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tenon-seen-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const visit = new SeenDefinitions(folder)
  expect(await visit.since('../evil', first)).toEqual(first)
  expect(await visit.since('../evil', second)).toEqual(first)
  await visit.close()
  const next = new SeenDefinitions(folder)
  expect(await next.since('../evil', third)).toEqual(second)
  await next.accept('../evil', third)
  expect(await next.since('../evil', third)).toEqual(third)
  await next.close()

  const files = await readdir(join(folder, 'seen'))
  expect(files).toEqual([expect.stringMatching(/^[0-9a-f]{32}\.json$/)])
  await writeFile(join(folder, 'seen', files[0]!), '{ "version": 1, "definitions": [')
  expect(await new SeenDefinitions(folder).since('../evil', first)).toEqual(first)
})

test('without a folder, or with one that cannot be written to, it is this run', async () => {
  for (const folder of [undefined, '/dev/null']) {
    const seen = new SeenDefinitions(folder)
    expect(await seen.since('a', first)).toEqual(first)
    expect(await seen.since('a', second)).toEqual(first)
    await seen.close()
  }
})

test('nothing is written after the end', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tenon-seen-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const visit = new SeenDefinitions(folder)
  // Still reading when the end comes.
  const asked = visit.since('a', first)
  await visit.close()
  await asked
  expect(await readdir(folder)).toEqual([])
})
