import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { requires } from '../../../scripts/requires.ts'
import { runOnSmallDisk } from '../../../scripts/small-disk.ts'
import { bin, testFolder } from './helpers.ts'

const program = fileURLToPath(new URL('fill-disk.mjs', import.meta.url))

test('a full disk refuses writes with what to do, and loses none that was acknowledged', requires('small-disk'), () => {
  const folder = testFolder()
  expect(runOnSmallDisk(folder, [process.execPath, program, folder, bin])).toBe(0)
})
