import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { skillFolder } from '../skill-folder.suite.ts'
import { FolderWatch } from './watch-folders.ts'

/** A watch, and the next time that it says something. */
function watching(): { watch: FolderWatch; changed: () => Promise<void>; errors: unknown[] } {
  const errors: unknown[] = []
  let wake: () => void = () => {}
  const watch = new FolderWatch({ changed: () => wake(), failed: (error) => errors.push(error) })
  return { watch, errors, changed: () => new Promise((resolve) => (wake = resolve)) }
}

test('a folder that is new to a watch is looked at once more: something may have happened before', async () => {
  await using folder = await skillFolder()
  const { watch, changed, errors } = watching()
  watch.set([folder.path])
  await changed()
  await writeFile(join(folder.path, 'file'), 'x')
  await changed()
  watch.close()
  expect(errors).toEqual([])
})

test('a folder that cannot be watched is reported, and the others are watched', async () => {
  await using folder = await skillFolder()
  const { watch, changed, errors } = watching()
  watch.set([join(folder.path, 'nowhere'), folder.path])
  await changed()
  expect(errors).toMatchObject([{ code: 'ENOENT' }])
  watch.close()
})
