import { createHash } from 'node:crypto'
import { mkdir, rename, rm, rmdir } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { McpError } from '../errors.ts'
import { endDraft, newDraft, removeDeadDrafts } from '../files/drafts.ts'
import { makeFolder, syncFolder, writeDurably } from '../files/durable.ts'
import type { TaskRecord, TaskStore } from '../server/tasks/store/task-store.ts'
import type { FileTaskStoreOptions } from './file-task-store.ts'
import { setAside } from './set-aside.ts'
import {
  assertOwnFolder,
  BadRecord,
  entries,
  isCode,
  newestOf,
  ownEntries,
  readVersion,
  writeVersion,
} from './task-record-file.ts'

const idPattern = /^[\w-]{1,128}$/
const ownerPattern = /^[0-9a-f]{40}$/
const maxAttempts = 20

/** The tasks in a folder, as `fileTaskStore` describes it. */
export function taskFolders(folder: string, { onError = warn }: FileTaskStoreOptions): TaskStore {
  const root = resolve(folder)
  /** Folders that had a record when they were read. They keep one until they are deleted. */
  const known = new Set<string>()
  const ownerFolder = (owner: string): string => join(root, hashOf(owner))
  const taskFolder = (owner: string, id: string): string => {
    if (!idPattern.test(id))
      throw new McpError('invalid_argument', `A task id cannot be ${JSON.stringify(id).slice(0, 80)}`)
    return join(ownerFolder(owner), id)
  }

  const read = async (path: string): Promise<TaskRecord | undefined> => {
    const isRecord = ({ id, owner }: TaskRecord): boolean =>
      id === basename(path) && typeof owner === 'string' && hashOf(owner) === basename(dirname(path))
    try {
      return await readVersion(path, isRecord)
    } catch (error) {
      if (!(error instanceof BadRecord)) throw error
      const target = await setAside(root, path)
      if (target !== undefined) report(onError, unreadable(path, `${error.message}. It was moved to ${target}`))
      return undefined
    }
  }

  /** The folders of tasks; leftovers of killed processes between them are removed. */
  const foldersOf = async (owner: string | undefined): Promise<string[]> => {
    const owners =
      owner === undefined ? (await entries(root)).filter((name) => ownerPattern.test(name)) : [hashOf(owner)]
    const found = owners.map(async (name) => {
      const path = join(root, name)
      const names = await ownEntries(path)
      await removeDeadDrafts(path, names)
      const tasks = names.filter((id) => idPattern.test(id)).map((id) => join(path, id))
      if (tasks.length === 0) await removeIfEmpty(path)
      return tasks
    })
    return (await Promise.all(found)).flat()
  }

  const holdsRecord = async (path: string): Promise<boolean> => {
    if (known.has(path)) return true
    const names = await ownEntries(path)
    await removeDeadDrafts(path, names)
    if (newestOf(names) === undefined) {
      await removeIfEmpty(path)
      return false
    }
    known.add(path)
    return true
  }

  return {
    async create(record) {
      const path = taskFolder(record.owner, record.id)
      await createFolder(path, record)
      known.add(path)
    },
    get: async (owner, id) => (idPattern.test(id) ? read(taskFolder(owner, id)) : undefined),
    replace: (record) => writeVersion(taskFolder(record.owner, record.id), record),
    async delete(owner, id) {
      const path = taskFolder(owner, id)
      known.delete(path)
      await removeFolder(path)
    },
    async list(owner) {
      const records: TaskRecord[] = []
      for (const path of await foldersOf(owner)) {
        try {
          const record = (await holdsRecord(path)) ? await read(path) : undefined
          if (record !== undefined) records.push(record)
        } catch (error) {
          // It may be readable the next time, and the others are readable now.
          report(onError, unreadable(path, (error as Error).message, error))
        }
      }
      return records
    },
    async count(owner) {
      const paths = await foldersOf(owner)
      const held = await Promise.all(paths.map(holdsRecord))
      // Other processes delete tasks too.
      if (owner === undefined && known.size > 2 * paths.length + 100) known.clear()
      return held.filter(Boolean).length
    },
  }
}

/** The folder of a task gets its name when there is a record in it: either both are there or neither. */
async function createFolder(path: string, record: TaskRecord): Promise<void> {
  const owner = dirname(path)
  for (let attempt = 1; ; attempt++) {
    const draft = newDraft(owner, 'task')
    let isNamed = false
    try {
      await makeFolder(owner)
      await assertOwnFolder(owner)
      await mkdir(draft, { mode: 0o700 })
      await writeDurably(join(draft, `${record.version}.json`), JSON.stringify(record))
      await syncFolder(draft)
      await rename(draft, path)
      isNamed = true
      for (const above of [owner, dirname(owner)]) await syncFolder(above)
      return
    } catch (error) {
      await endDraft(draft)
      if (isNamed) await rm(path, { recursive: true, force: true })
      await removeIfEmpty(owner)
      if (isCode(error, 'ENOTEMPTY', 'EEXIST', 'EPERM') && newestOf(await ownEntries(path)) !== undefined)
        throw new McpError('invalid_argument', 'There is a task with this id')
      // The owner's last task may have expired, and the folder gone with it.
      if (!isCode(error, 'ENOENT') || attempt === maxAttempts) throw error
    } finally {
      await endDraft(draft)
    }
  }
}

/** Takes a task away in one step: a kill in the middle leaves no half of it under its name. */
async function removeFolder(path: string): Promise<void> {
  const owner = dirname(path)
  const gone = newDraft(owner, 'gone')
  try {
    await rename(path, gone)
  } catch (error) {
    // A full disk may have no room for another name.
    if (!isCode(error, 'ENOENT')) await rm(path, { recursive: true, force: true })
  } finally {
    await endDraft(gone)
    await removeIfEmpty(owner)
  }
}

/** Foreign files are never removed: a folder that is not empty stays. */
async function removeIfEmpty(path: string): Promise<void> {
  try {
    await rmdir(path)
  } catch {
    // It is in use, or gone.
  }
}

const hashOf = (owner: string): string => createHash('sha256').update(owner).digest('hex').slice(0, 40)

/** Contains nothing of the record: arguments and results are private. */
const unreadable = (path: string, why: string, cause?: unknown): McpError =>
  new McpError('invalid_result', `The record of a task cannot be read, ${path}: ${why}`, { cause })

function report(onError: (error: unknown) => void, error: unknown): void {
  try {
    onError(error)
  } catch {
    // A listener that throws must not keep others from their tasks.
  }
}

const warn = (error: unknown): void => process.emitWarning(error as Error)
