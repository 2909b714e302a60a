import { mkdir, readdir, rmdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type ServerTool, type ToolContext, ToolError, tool } from '@tenon/sdk/server'
import { z } from 'zod'
import { about } from '../access/explain.ts'
import type { Guard, Target } from '../access/guard.ts'
import type { Session } from '../access/session-folders.ts'
import { changeFile } from '../store/change-file.ts'
import { copyContents, copyFolder } from '../store/copy-tree.ts'
import { createFile, moveName, syncFolder } from '../store/replace-file.ts'
import { moveToTrash } from '../store/trash.ts'
import { answer, ownerOf, type Workspace } from '../workspace.ts'
import { ifMatch, writtenOutput } from './schemas.ts'

const moved = z.object({
  content: z.string(),
  change: z.int().optional().describe('The number of the change, for undo_changes'),
})

/** Tools that create, move, copy and delete. */
export function writingTools(workspace: Workspace): ServerTool<Session>[] {
  return [
    tool({
      name: 'write_file',
      title: 'Write file',
      description:
        'Creates a file, or replaces all of its contents. The contents are written as they are given; the permissions of ' +
        'a file that exists are kept. With ifMatch nothing is lost that you have not seen.',
      input: z.object({ path: z.string(), content: z.string(), ifMatch }),
      output: writtenOutput,
      annotations: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
      run: async ({ path, content, ifMatch }, ctx: ToolContext<Session>) => {
        const guard = await workspace.guardFor(ctx)
        const contents = Buffer.from(content)
        const done = await changeFile(workspace, guard, {
          ...{ path, owner: ownerOf(ctx), ifMatch, edits: false },
          contents: () => contents,
        })
        return answer(`Successfully wrote to ${path}`, { ...done })
      },
    }),
    tool({
      name: 'create_directory',
      title: 'Create directory',
      description: 'Makes sure that a folder exists, and every folder above it.',
      input: z.object({ path: z.string() }),
      output: moved,
      annotations: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
      run: async ({ path }, ctx: ToolContext<Session>) => {
        const guard = await workspace.guardFor(ctx)
        const made = await about(path, async () => makeFolders(guard, await guard.pathFor(path)))
        const text = `Successfully created directory ${path}`
        if (made.length === 0) return answer(text)
        const { id } = workspace.journal.record(ownerOf(ctx), {
          ...{ summary: `created the folder ${made.at(-1)}`, path: made.at(-1)!, bytes: 0 },
          undo: (guard) => removeFolders(guard, made),
        })
        return answer(text, { change: id })
      },
    }),
    tool({
      name: 'move_file',
      title: 'Move file',
      description:
        'Moves or renames a file, folder or link. Both names must be in allowed folders, and the destination must be free.',
      input: z.object({ source: z.string(), destination: z.string() }),
      output: moved,
      annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
      run: async ({ source, destination }, ctx: ToolContext<Session>) => {
        const guard = await workspace.guardFor(ctx)
        const [from, to] = await about(source, () => move(guard, source, destination))
        const { id } = workspace.journal.record(ownerOf(ctx), {
          ...{ summary: `moved ${from} to ${to}`, path: to, bytes: 0 },
          undo: async (guard) => {
            await move(guard, to, from)
            return `${to} is ${from} again`
          },
        })
        return answer(`Successfully moved ${source} to ${destination}`, { change: id })
      },
    }),
    tool({
      name: 'copy_file',
      title: 'Copy file',
      description: 'Copies a file, or a folder with everything in it. The destination must be free. Links stay links.',
      input: z.object({ source: z.string(), destination: z.string() }),
      output: moved.extend({ entries: z.int().optional().describe('Entries of the copied folder') }),
      annotations: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
      run: async ({ source, destination }, ctx: ToolContext<Session>) => {
        const guard = await workspace.guardFor(ctx)
        const { maxItems } = workspace.settings
        const copied = (count: number): unknown => count % 100 === 0 && ctx.progress(count)
        const { to, entries } = await about(source, () =>
          copy(guard, source, destination, {
            signal: ctx.signal,
            maxItems,
            copied,
            check: guard.checkNames.bind(guard),
          }),
        )
        const { id } = workspace.journal.record(ownerOf(ctx), {
          ...{ summary: `copied ${source} to ${to}`, path: to, bytes: 0 },
          undo: (guard) => removeCopy(workspace, guard, to),
        })
        return answer(`Successfully copied ${source} to ${destination}`, { change: id, ...(entries && { entries }) })
      },
    }),
    tool({
      name: 'delete_file',
      title: 'Delete file',
      description:
        'Moves a file, link or folder to the trash; undo_changes brings it back. A folder that is not empty needs recursive.',
      input: z.object({
        path: z.string(),
        recursive: z.boolean().default(false).describe('Delete a folder with everything in it'),
      }),
      output: moved.extend({ trashed: z.string().describe('Its place in the trash') }),
      annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
      run: async ({ path, recursive }, ctx: ToolContext<Session>) => {
        const guard = await workspace.guardFor(ctx)
        await using target = await guard.locateName(path)
        if (target.existing === undefined) throw new ToolError(`${path}: there is no such file or folder`)
        if (target.existing.stats.isDirectory() && !recursive && (await readdir(target.existing.access)).length > 0) {
          throw new ToolError(`${path} is a folder that is not empty. Set recursive to delete it with its contents.`)
        }
        const real = target.real
        const trashed = await moveToTrash(target, workspace.settings.trash)
        const { id } = workspace.journal.record(ownerOf(ctx), {
          ...{ summary: `deleted ${real}`, path: real, bytes: 0 },
          undo: async (guard) => {
            await using free = await guard.locateName(real)
            refuseTaken(free, real)
            await trashed.restore(free)
            return `${real} is back`
          },
        })
        return answer(`Moved ${path} to the trash`, { change: id, trashed: trashed.path })
      },
    }),
  ]
}

/** Makes the folders that are missing, each inside the one that was checked before it. Returns them, outermost first. */
async function makeFolders(guard: Guard, path: string): Promise<string[]> {
  await using existing = await guard.find(path)
  if (existing?.stats.isDirectory()) return []
  if (existing !== undefined) throw new ToolError(`${path} exists, and is not a folder.`)
  const made = await makeFolders(guard, dirname(path))
  await using target = await guard.locateTarget(path)
  await mkdir(target.access)
  return [...made, target.real]
}

async function removeFolders(guard: Guard, made: readonly string[]): Promise<string> {
  for (const path of made.toReversed()) {
    await using target = await guard.locateName(path)
    if (target.existing !== undefined) await about(path, () => rmdir(target.access))
  }
  return `${made[0]} is gone`
}

async function move(guard: Guard, source: string, destination: string): Promise<[from: string, to: string]> {
  await using from = await guard.locateName(source)
  if (from.existing === undefined) throw new ToolError(`${source}: there is no such file or folder`)
  await using to = await guard.locateName(destination)
  refuseTaken(to, destination)
  await moveName(from, to)
  await syncFolder(to.parent)
  return [from.real, to.real]
}

function refuseTaken({ existing }: Target, path: string): void {
  if (existing !== undefined) throw new ToolError(`Destination already exists: ${path}`)
}

async function copy(
  guard: Guard,
  source: string,
  destination: string,
  options: Parameters<typeof copyFolder>[2],
): Promise<{ to: string; entries?: number }> {
  await using from = await guard.locate(source)
  await using to = await guard.locateName(destination)
  refuseTaken(to, destination)
  if (from.stats.isDirectory()) {
    if (`${to.real}/`.startsWith(`${from.real}/`)) throw new ToolError('A folder cannot be copied into itself.')
    return { to: to.real, entries: await copyFolder(from, to.access, options) }
  }
  // Checks that it is a file that may be read.
  await (await guard.open(from, source)).close()
  await createFile(to, (temporary) => copyContents(from, temporary))
  return { to: to.real }
}

async function removeCopy(workspace: Workspace, guard: Guard, path: string): Promise<string> {
  await using target = await guard.locateName(path)
  if (target.existing !== undefined) await moveToTrash(target, workspace.settings.trash)
  return `${path} is in the trash`
}
