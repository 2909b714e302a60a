import { rename, rm } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { makeFolder } from '../files/durable.ts'
import { assertOwnFolder, entries, isCode } from './task-record-file.ts'

/** More are deleted: a disk that loses records must not fill up with them. */
const maxKept = 100

/**
 * Moves the folder of a task aside, for the operator to inspect. Returns its new path, or undefined if another process
 * was faster.
 */
export async function setAside(root: string, path: string): Promise<string | undefined> {
  const folder = join(root, '.set-aside')
  await makeFolder(folder)
  await assertOwnFolder(folder)
  const time = new Date().toISOString().replaceAll(':', '-')
  const target = join(folder, `${time}-${relative(root, path).replaceAll(sep, '-')}`)
  try {
    await rename(path, target)
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined
    throw error
  }
  const oldest = (await entries(folder)).sort().slice(0, -maxKept)
  for (const name of oldest) await rm(join(folder, name), { recursive: true, force: true })
  return target
}
