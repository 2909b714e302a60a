import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileLock } from '@tenon/sdk/auth'
import { expect, onTestFinished, test } from 'vitest'
import { KeptFile } from './kept-file.ts'

test('changes that are made at the same time are all made', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tenon-kept-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const files = [new KeptFile(folder, fileLock(folder)), new KeptFile(folder, fileLock(folder))]
  const ids = Array.from({ length: 8 }, (_, index) => `${index}`)
  await Promise.all(ids.map((id, index) => files[index % 2]!.change((entries) => [...entries, id])))
  expect((await files[0]!.read()).toSorted()).toEqual(ids)
})
