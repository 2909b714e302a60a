import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { type ServerTool, type ToolContext, tool } from '@tenon/sdk/server'
import { z } from 'zod'
import { about } from '../access/explain.ts'
import type { Session } from '../access/session-folders.ts'
import { readFolder, typeOf } from '../find/read-folder.ts'
import { readTree, type TreeEntry } from '../find/walk.ts'
import { hashOf } from '../store/change-file.ts'
import { isBinary } from '../text/text-document.ts'
import { answer, type Workspace } from '../workspace.ts'
import { compileExcludes } from './globs.ts'

const entryType = z.enum(['file', 'directory', 'symlink', 'other'])
const annotations = { readOnly: true, destructive: false, idempotent: true, openWorld: false }
const paging = { offset: z.int().min(0).default(0).describe('Skip as many entries') }
const pagingOutput = {
  total: z.int(),
  truncated: z.boolean(),
  nextOffset: z.int().optional().describe('The offset to read on with'),
}

/** Tools that tell which files there are. */
export function listingTools(workspace: Workspace): ServerTool<Session>[] {
  const page = <T>(items: readonly T[], offset: number): { items: T[]; about: object; notes: string[] } => {
    const end = offset + workspace.settings.maxItems
    const truncated = items.length > end
    return {
      items: items.slice(offset, end),
      about: { total: items.length, truncated, ...(truncated && { nextOffset: end }) },
      notes: truncated ? [`[There are ${items.length} entries. Read on with offset ${end}.]`] : [],
    }
  }

  return [
    tool({
      name: 'list_directory',
      title: 'List directory',
      description: 'Lists a folder: [DIR] and [FILE] with the names, in order. Links are entries of their own.',
      input: z.object({ path: z.string(), ...paging }),
      output: z.object({
        content: z.string(),
        entries: z.array(z.object({ name: z.string(), type: entryType })),
        ...pagingOutput,
      }),
      annotations,
      run: async ({ path, offset }, ctx: ToolContext<Session>) => {
        const guard = await workspace.guardFor(ctx)
        await using folder = await guard.locateFolder(path)
        const { items, about: paged, notes } = page(await about(path, () => readFolder(folder)), offset)
        const content = items.map(({ name, type }) => `${type === 'directory' ? '[DIR]' : '[FILE]'} ${name}`).join('\n')
        return answer(content, { entries: items, ...paged }, ...notes)
      },
    }),
    tool({
      name: 'list_directory_with_sizes',
      title: 'List directory with sizes',
      description: 'Lists a folder with the sizes of its files, by name or largest first, and sums them up.',
      input: z.object({
        path: z.string(),
        sortBy: z.enum(['name', 'size']).default('name').describe('By name, or the largest first'),
        ...paging,
      }),
      output: z.object({
        content: z.string(),
        entries: z.array(z.object({ name: z.string(), type: entryType, size: z.int(), modified: z.string() })),
        ...pagingOutput,
      }),
      annotations,
      run: async ({ path, sortBy, offset }, ctx: ToolContext<Session>) => {
        const guard = await workspace.guardFor(ctx)
        await using folder = await guard.locateFolder(path)
        const all = await Promise.all(
          (await about(path, () => readFolder(folder))).map(async (entry) => {
            const stats = await lstat(join(folder.access, entry.name)).catch(() => undefined)
            return { ...entry, size: stats?.size ?? 0, modified: (stats?.mtime ?? new Date(0)).toISOString() }
          }),
        )
        all.sort((one, other) => (sortBy === 'size' ? other.size - one.size : one.name.localeCompare(other.name)))
        const { items, about: paged, notes } = page(all, offset)
        const files = all.filter(({ type }) => type !== 'directory')
        const content = [
          ...items.map(sizedLine),
          '',
          `Total: ${files.length} files, ${all.length - files.length} directories`,
          `Combined size: ${formatSize(files.reduce((sum, { size }) => sum + size, 0))}`,
        ].join('\n')
        return answer(content, { entries: items, ...paged }, ...notes)
      },
    }),
    tool({
      name: 'directory_tree',
      title: 'Directory tree',
      description:
        'Everything below a folder as JSON: name and type of each entry, and the children of folders. Leave out what you ' +
        'do not need with excludePatterns and maxDepth.',
      input: z.object({
        path: z.string(),
        excludePatterns: z
          .array(z.string())
          .max(100)
          .default([])
          .describe('Globs, or names anywhere, such as node_modules'),
        maxDepth: z.int().min(1).max(1_000).optional().describe('How many levels of folders to enter'),
      }),
      output: z.object({ content: z.string(), entries: z.int(), truncated: z.boolean() }),
      annotations,
      run: async ({ path, excludePatterns, maxDepth }, ctx: ToolContext<Session>) => {
        const guard = await workspace.guardFor(ctx)
        await using folder = await guard.locateFolder(path)
        const excludes = compileExcludes(excludePatterns)
        const { maxItems, maxTime } = workspace.settings
        const tree = await about(path, () =>
          readTree(guard, folder, {
            signal: AbortSignal.any([ctx.signal, AbortSignal.timeout(maxTime)]),
            excludes,
            ...{ maxDepth, maxEntries: maxItems },
            found: (count) => ctx.progress(count),
          }),
        )
        const content = treeText(tree.entries)
        const notes = tree.cut
          ? [`[Cut after ${maxItems} entries. Use excludePatterns or maxDepth, or list a folder inside.]`]
          : []
        return answer(content, { entries: tree.count, truncated: tree.cut }, ...notes)
      },
    }),
    tool({
      name: 'get_file_info',
      title: 'Get file info',
      description:
        'Size, times, permissions and type of a file or folder; of a file also its hash and whether it is text.',
      input: z.object({ path: z.string() }),
      output: z.object({
        content: z.string(),
        path: z.string().describe('The real path'),
        type: entryType,
        size: z.int(),
        created: z.string(),
        modified: z.string(),
        accessed: z.string(),
        permissions: z.string(),
        links: z.int().describe('Names of the file; with more than one, another may lie outside the allowed folders'),
        binary: z.boolean().optional(),
        hash: z.string().optional().describe('SHA-256, for ifMatch; absent for large files'),
      }),
      annotations,
      run: async ({ path }, ctx: ToolContext<Session>) => {
        const guard = await workspace.guardFor(ctx)
        await using held = await guard.locate(path)
        const { stats } = held
        const times = { created: stats.birthtime, modified: stats.mtime, accessed: stats.atime }
        const known = {
          size: Number(stats.size),
          ...times,
          isDirectory: stats.isDirectory(),
          isFile: stats.isFile(),
          permissions: stats.mode.toString(8).slice(-3),
        }
        const contents =
          stats.isFile() && stats.size <= workspace.settings.maxMedia ? await guard.open(held, path) : undefined
        const bytes = await contents?.readFile().finally(() => contents.close())
        const more = bytes === undefined ? {} : { binary: isBinary(bytes), hash: hashOf(bytes) }
        const content = Object.entries({ ...known, ...more }).map(([key, value]) => `${key}: ${value}`)
        const iso = Object.fromEntries(Object.entries(times).map(([name, time]) => [name, time.toISOString()]))
        const { isDirectory: _, isFile: __, ...shown } = known
        return answer(content.join('\n'), {
          ...{ ...shown, ...iso, ...more },
          ...{ path: held.real, type: typeOf(stats), links: Number(stats.nlink) },
        })
      },
    }),
    tool({
      name: 'list_allowed_directories',
      title: 'List allowed directories',
      description: 'The folders that may be used, with everything below them.',
      output: z.object({ content: z.string(), directories: z.array(z.string()) }),
      annotations,
      run: async (_input, ctx: ToolContext<Session>) => {
        const { folders } = await workspace.guardFor(ctx)
        return answer(`Allowed directories:\n${folders.paths.join('\n')}`, { directories: folders.paths })
      },
    }),
  ]
}

function sizedLine({ name, type, size }: { name: string; type: string; size: number }): string {
  const isFolder = type === 'directory'
  return `${isFolder ? '[DIR]' : '[FILE]'} ${name.padEnd(30)} ${isFolder ? '' : formatSize(size).padStart(10)}`
}

function formatSize(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB']
  const unit = bytes < 1024 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), units.length - 1)
  return unit === 0 ? `${bytes} B` : `${(bytes / 1024 ** unit).toFixed(2)} ${units[unit]}`
}

/** The tree as indented JSON, written directly: `JSON.stringify` would need a copy of everything first. */
function treeText(entries: readonly TreeEntry[], indent = ''): string {
  if (entries.length === 0) return '[]'
  const inner = `${indent}    `
  const items = entries.map(({ name, type, children }) => {
    const isFolder = type === 'directory'
    const start = `${indent}  {\n${inner}"name": ${JSON.stringify(name)},\n${inner}"type": "${isFolder ? 'directory' : 'file'}"`
    return isFolder
      ? `${start},\n${inner}"children": ${treeText(children ?? [], inner)}\n${indent}  }`
      : `${start}\n${indent}  }`
  })
  return `[\n${items.join(',\n')}\n${indent}]`
}
