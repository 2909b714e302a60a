import { createHash } from 'node:crypto'
import { ToolError } from '@tenon/sdk/server'
import { about } from '../access/explain.ts'
import type { Guard, Target } from '../access/guard.ts'
import { readBytes } from '../text/read-range.ts'
import type { Workspace } from '../workspace.ts'
import { replaceFile } from './replace-file.ts'
import { moveToTrash } from './trash.ts'

/** Larger files are not taken into memory to be edited. */
const maxEditBytes = 50_000_000

export interface FileChange {
  readonly path: string
  readonly owner: string
  /** The hash that the file must have, `absent` if there must be none, or nothing. */
  readonly ifMatch?: string | undefined
  readonly dryRun?: boolean
  /** The file must exist, and is handed to `contents`. */
  readonly edits: boolean
  contents(before: Uint8Array | undefined, path: string): Uint8Array
}

export interface ChangedFile {
  readonly path: string
  readonly hash: string
  readonly isNew: boolean
  /** The number to take it back with, unless it was too large to remember. */
  readonly change: number | undefined
}

export const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Changes the contents of a file: one at a time, as a whole, and only if it is the file that the caller knows. */
export async function changeFile(workspace: Workspace, guard: Guard, change: FileChange): Promise<ChangedFile> {
  const key = await realPathFor(guard, change.path)
  return workspace.locks.run(key, () => about(change.path, () => changeNow(workspace, guard, change)))
}

async function realPathFor(guard: Guard, path: string): Promise<string> {
  await using target = await guard.locateTarget(path)
  return target.real
}

async function changeNow(workspace: Workspace, guard: Guard, change: FileChange): Promise<ChangedFile> {
  await using target = await guard.locateTarget(change.path)
  const before = await contentsBefore(workspace, guard, target, change)
  checkMatch(change, target, before)
  const contents = change.contents(before, target.real)
  const hash = hashOf(contents)
  const isNew = target.existing === undefined
  if (change.dryRun) return { path: target.real, hash, isNew, change: undefined }
  await replaceFile(target, contents)
  const mode = target.existing?.stats.mode
  return { path: target.real, hash, isNew, change: remember(workspace, change.owner, target, { before, hash, mode }) }
}

async function contentsBefore(
  workspace: Workspace,
  guard: Guard,
  target: Target,
  change: FileChange,
): Promise<Uint8Array | undefined> {
  const { existing } = target
  if (existing === undefined) {
    if (change.edits) throw new ToolError(`${change.path}: there is no such file. Use write_file to create it.`)
    return undefined
  }
  const isNeeded = change.edits || change.ifMatch !== undefined
  const size = Number(existing.stats.size)
  if (!isNeeded && existing.stats.isFile() && !workspace.journal.hasRoomFor(size)) return undefined
  if (size > maxEditBytes) {
    if (!isNeeded) return undefined
    throw new ToolError(`${change.path} has ${size} bytes. Files up to ${maxEditBytes} bytes can be edited.`)
  }
  const handle = await guard.open(existing, change.path)
  return readBytes(handle, 0, maxEditBytes).finally(() => handle.close())
}

function checkMatch({ ifMatch, path }: FileChange, target: Target, before: Uint8Array | undefined): void {
  if (ifMatch === undefined) return
  if (ifMatch === 'absent') {
    if (target.existing === undefined) return
    throw new ToolError(`${path} exists already, and ifMatch says it must not. Nothing was changed.`)
  }
  const hash = before === undefined ? 'absent' : hashOf(before)
  if (hash === ifMatch.replace(/^sha256[:-]/, '').toLowerCase()) return
  throw new ToolError(
    `${path} is not the file that you know: ifMatch is ${ifMatch}, its hash is ${hash}. Nothing was changed. Read it again.`,
  )
}

interface Remembered {
  readonly before: Uint8Array | undefined
  /** Of the new contents. */
  readonly hash: string
  readonly mode: bigint | undefined
}

function remember(
  workspace: Workspace,
  owner: string,
  target: Target,
  { before, hash, mode }: Remembered,
): number | undefined {
  const bytes = before?.length ?? 0
  if ((target.existing !== undefined && before === undefined) || !workspace.journal.hasRoomFor(bytes)) return undefined
  const path = target.real
  const { id } = workspace.journal.record(owner, {
    summary: `${target.existing === undefined ? 'created' : 'changed'} ${path}`,
    path,
    bytes,
    undo: (guard, force) =>
      workspace.locks.run(path, () => takeBack(workspace, guard, path, { before, hash, mode }, force)),
  })
  return id
}

async function takeBack(
  workspace: Workspace,
  guard: Guard,
  path: string,
  { before, hash, mode }: Remembered,
  force: boolean,
): Promise<string> {
  await using target = await guard.locateTarget(path)
  if (!force) await refuseOtherContents(guard, target, hash)
  if (before !== undefined) {
    await replaceFile(target, before, mode)
    return `${path} has its earlier contents again`
  }
  if (target.existing !== undefined) await moveToTrash(target, workspace.settings.trash)
  return `${path} is in the trash`
}

async function refuseOtherContents(guard: Guard, { existing, real }: Target, hash: string): Promise<void> {
  const advice = 'Set force to take the change back all the same.'
  if (existing === undefined) throw new ToolError(`${real} is gone since. ${advice}`)
  const handle = await guard.open(existing, real)
  const bytes = await readBytes(handle, 0, maxEditBytes).finally(() => handle.close())
  if (hashOf(bytes) !== hash) throw new ToolError(`${real} was changed by someone else since. ${advice}`)
}
