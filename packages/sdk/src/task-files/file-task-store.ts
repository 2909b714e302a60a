import { createHash, randomBytes } from 'node:crypto'
import { link, mkdir, open, readdir, readFile, rm, truncate, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { McpError } from '../errors.ts'
import type { TaskRecord, TaskStore } from '../server/tasks/store.ts'

const idPattern = /^[\w-]{1,128}$/
const keptNames = 16
const versionPattern = /^(\d{1,15})\.json$/

/**
 * Keeps tasks in a folder, which processes on one machine may share: one folder per owner, one per task, and in it a file
 * that is named after the version of the record. They are readable by the owner of the process alone; they hold arguments,
 * answers, results and what is known of the caller, `auth` included.
 *
 * @example
 * createServer({ name: 'jobs', version: '1.0.0', tools: [encode], tasks: { store: fileTaskStore('./tasks') } })
 */
export function fileTaskStore(folder: string): TaskStore {
  const ownerFolder = (owner: string): string =>
    join(folder, createHash('sha256').update(owner).digest('hex').slice(0, 40))
  const taskFolder = (owner: string, id: string): string => {
    if (!idPattern.test(id))
      throw new McpError('invalid_argument', `A task id cannot be ${JSON.stringify(id).slice(0, 80)}`)
    return join(ownerFolder(owner), id)
  }

  const read = async (path: string): Promise<TaskRecord | undefined> => {
    for (;;) {
      const version = newest(await entries(path))
      if (version === undefined) return undefined
      const text = await unlessMissing(readFile(join(path, `${version}.json`), 'utf8'))
      // A newer version has taken its place meanwhile.
      if (text) return JSON.parse(text) as TaskRecord
    }
  }

  const taskFolders = async (owner: string | undefined): Promise<string[]> => {
    const owners =
      owner === undefined ? (await entries(folder)).map((name) => join(folder, name)) : [ownerFolder(owner)]
    const found = owners.map(async (path) => (await entries(path)).map((name) => join(path, name)))
    return (await Promise.all(found)).flat()
  }

  return {
    async create(record) {
      const path = taskFolder(record.owner, record.id)
      await mkdir(path, { recursive: true, mode: 0o700 })
      if (!(await commit(path, record))) throw new McpError('invalid_argument', 'There is a task with this id')
    },
    get: async (owner, id) => (idPattern.test(id) ? read(taskFolder(owner, id)) : undefined),
    async replace(record) {
      const path = taskFolder(record.owner, record.id)
      if (newest(await entries(path)) !== record.version - 1 || !(await commit(path, record))) return false
      return isCurrent(path, record.version)
    },
    delete: (owner, id) => rm(taskFolder(owner, id), { recursive: true, force: true }),
    async list(owner) {
      const records: TaskRecord[] = []
      for (const path of await taskFolders(owner)) {
        const record = await read(path)
        if (record !== undefined) records.push(record)
      }
      return records
    },
    count: async (owner) => (await taskFolders(owner)).length,
  }
}

/**
 * Writes a version, complete or not at all, unless there is one already: of two processes that saw the same version only
 * one gets to write the next. A link does in one step what a rename, which overwrites, cannot.
 */
async function commit(path: string, record: TaskRecord): Promise<boolean> {
  const draft = join(path, `.${randomBytes(8).toString('hex')}`)
  try {
    const file = await open(draft, 'wx', 0o600)
    try {
      await file.writeFile(JSON.stringify(record))
    } finally {
      await file.close()
    }
    await link(draft, join(path, `${record.version}.json`))
    return true
  } catch (error) {
    // Somebody else was faster, or deleted the task.
    if (isCode(error, 'EEXIST') || isCode(error, 'ENOENT')) return false
    throw error
  } finally {
    await unlessMissing(unlink(draft))
  }
}

/**
 * Empties older versions, but keeps the names of some: a process that was held up must not get to write a version that
 * has long been replaced. If it did, it was too late.
 */
async function isCurrent(path: string, version: number): Promise<boolean> {
  const versions = versionsIn(await entries(path))
  await unlessMissing(truncate(join(path, `${version - 1}.json`)))
  const old = versions.filter((one) => one < version - keptNames)
  await Promise.all(old.map((one) => unlessMissing(unlink(join(path, `${one}.json`)))))
  return Math.max(...versions) < version + keptNames / 2
}

function newest(names: readonly string[]): number | undefined {
  const versions = versionsIn(names)
  return versions.length === 0 ? undefined : Math.max(...versions)
}

const versionsIn = (names: readonly string[]): number[] =>
  names.flatMap((name) => versionPattern.exec(name)?.[1] ?? []).map(Number)

const entries = async (path: string): Promise<string[]> => (await unlessMissing(readdir(path))) ?? []

async function unlessMissing<T>(doing: Promise<T>): Promise<T | undefined> {
  try {
    return await doing
  } catch (error) {
    if (isCode(error, 'ENOENT') || isCode(error, 'ENOTDIR')) return undefined
    throw error
  }
}

const isCode = (error: unknown, code: string): boolean => (error as NodeJS.ErrnoException).code === code
