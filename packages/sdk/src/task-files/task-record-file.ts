import { constants } from 'node:fs'
import { link, lstat, open, readdir, readFile, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { McpError } from '../errors.ts'
import { endDraft, newDraft, removeDeadDrafts } from '../files/drafts.ts'
import { syncFolder, writeDurably } from '../files/durable.ts'
import { isObject } from '../jsonrpc/classify.ts'
import type { TaskRecord } from '../server/tasks/store/task-store.ts'

const keptNames = 16
const versionPattern = /^(\d{1,15})\.json$/

/** The newest version of a record exists and is invalid. */
export class BadRecord extends Error {}

type IsRecord = (record: TaskRecord) => boolean

/** The record in the folder of a task. Throws a `BadRecord` if its newest version is invalid. */
export async function readVersion(path: string, isRecord: IsRecord): Promise<TaskRecord | undefined> {
  let last: number | undefined
  for (;;) {
    const names = await ownEntries(path)
    await removeDeadDrafts(path, names)
    const version = newestOf(names)
    if (version === undefined) return undefined
    const text = await textOf(join(path, `${version}.json`))
    const record = parse(text, version)
    if (record !== undefined && isRecord(record)) return record
    // A version is emptied after a newer one has its name, so the newest is never empty.
    if (version === last) throw new BadRecord(`${version}.json is ${text === '' ? 'empty' : 'no record of this task'}`)
    last = version
  }
}

function textOf(file: string): Promise<string | undefined> {
  return readFile(file, { encoding: 'utf8', flag: constants.O_RDONLY | noFollow }).catch((error: unknown) => {
    if (isCode(error, 'ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP')) return undefined
    throw error
  })
}

function parse(text: string | undefined, version: number): TaskRecord | undefined {
  if (!text) return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (!isObject(value) || value.version !== version || !isObject(value.call)) return undefined
  const { status, createdAt, updatedAt, ttlMs } = value
  const isTimed = Number.isFinite(createdAt) && Number.isFinite(updatedAt) && (ttlMs === null || Number.isFinite(ttlMs))
  return isTimed && typeof status === 'string' ? (value as unknown as TaskRecord) : undefined
}

/** Writes the next version of a record, unless another process has, or the task is gone. */
export async function writeVersion(path: string, record: TaskRecord): Promise<boolean> {
  const names = await ownEntries(path)
  await removeDeadDrafts(path, names)
  return newestOf(names) === record.version - 1 && commit(path, record)
}

/**
 * Writes a version, complete or not at all, unless there is one already: of two processes that saw the same version
 * only one gets to write the next. A link is atomic and, unlike a rename, does not overwrite.
 */
async function commit(path: string, record: TaskRecord): Promise<boolean> {
  const draft = newDraft(path, 'version')
  try {
    await writeDurably(draft, JSON.stringify(record))
    await link(draft, join(path, `${record.version}.json`))
    await syncFolder(path)
    return await isInTime(path, record.version, draft)
  } catch (error) {
    // Another process was faster, or deleted the task.
    if (isCode(error, 'EEXIST', 'ENOENT')) return false
    throw error
  } finally {
    await endDraft(draft)
  }
}

/**
 * Empties older versions, but keeps the names of some: a delayed process must not get to write a version that has long
 * been replaced. False if it did: then so many versions followed that its name was free again, and no later writer has
 * built on its file and emptied it, which the draft shows under its other name.
 */
async function isInTime(path: string, version: number, draft: string): Promise<boolean> {
  const versions = versionsIn(await ownEntries(path))
  const isLate = Math.max(...versions) > version + keptNames && (await unlessMissing(stat(draft)))?.size !== 0
  await unlessMissing(empty(join(path, `${version - 1}.json`)))
  const old = versions.filter((one) => one < version - keptNames)
  await Promise.all(old.map((one) => unlessMissing(unlink(join(path, `${one}.json`)))))
  return !isLate
}

export function newestOf(names: readonly string[]): number | undefined {
  const versions = versionsIn(names)
  return versions.length === 0 ? undefined : Math.max(...versions)
}

const versionsIn = (names: readonly string[]): number[] =>
  names.flatMap((name) => versionPattern.exec(name)?.[1] ?? []).map(Number)

/** The names in a folder; none if it is not there. */
export const entries = async (path: string): Promise<string[]> => (await unlessMissing(readdir(path))) ?? []

/**
 * The names in a folder of the store. A link in its place, which somebody planted, is no folder: nothing is read, written or
 * removed through it.
 */
export const ownEntries = async (path: string): Promise<string[]> =>
  (await unlessMissing(lstat(path)))?.isDirectory() ? entries(path) : []

/** Fails if a link has the place of a folder of the store. */
export async function assertOwnFolder(path: string): Promise<void> {
  if ((await lstat(path)).isDirectory()) return
  throw new McpError('invalid_argument', `${path}: expected a folder of the task store, got a link or a file`)
}

/** Windows has no such flag; there only administrators make links. */
const noFollow = constants.O_NOFOLLOW ?? 0

/** Frees the space of a file, and not that of another one that a link in its place leads to. */
async function empty(file: string): Promise<void> {
  const handle = await open(file, constants.O_WRONLY | noFollow)
  try {
    await handle.truncate()
  } finally {
    await handle.close()
  }
}

async function unlessMissing<T>(doing: Promise<T>): Promise<T | undefined> {
  try {
    return await doing
  } catch (error) {
    if (isCode(error, 'ENOENT', 'ENOTDIR', 'ELOOP')) return undefined
    throw error
  }
}

export const isCode = (error: unknown, ...codes: string[]): boolean =>
  codes.includes((error as NodeJS.ErrnoException).code ?? '')
