import { type ServerTool, type ToolContext, ToolError, tool } from '@tenon/sdk/server'
import { z } from 'zod'
import { about } from '../access/explain.ts'
import type { Guard } from '../access/guard.ts'
import { type Held, hold } from '../access/held.ts'
import type { Session } from '../access/session-folders.ts'
import { grep } from '../find/grep.ts'
import type { GrepMatch } from '../find/grep-job.ts'
import { collectEntries, readTree, type TreeEntry } from '../find/walk.ts'
import { answer, type Workspace } from '../workspace.ts'
import { compileGlobs } from './globs.ts'

const patterns = z.array(z.string()).max(100)
const annotations = { readOnly: true, destructive: false, idempotent: true, openWorld: false }

/** More entries are not visited by one search. */
const maxVisited = 1_000_000

/** Tools that find files by name and by contents. */
export function searchingTools(workspace: Workspace): ServerTool<Session>[] {
  const find = async (
    guard: Guard,
    folder: Held,
    wanted: { include: readonly string[]; exclude: readonly string[] },
    ctx: ToolContext<Session>,
  ): Promise<TreeEntry[]> => {
    const included = compileGlobs(wanted.include)
    const tree = await readTree(guard, folder, {
      signal: AbortSignal.any([ctx.signal, AbortSignal.timeout(workspace.settings.maxTime)]),
      excludes: compileGlobs(wanted.exclude),
      maxEntries: maxVisited,
      found: (count) => ctx.progress(count),
    })
    return collectEntries(tree.entries, ({ path }) => included(path))
  }

  return [
    tool({
      name: 'search_files',
      title: 'Search files',
      description:
        'Finds files and folders by a glob that is matched with their path below the start: "*.md" finds in the folder ' +
        'itself, "**/*.md" everywhere. Returns full paths.',
      input: z.object({
        path: z.string().describe('The folder to start in'),
        pattern: z.string(),
        excludePatterns: patterns.default([]).describe('Globs of files and folders to leave out'),
        offset: z.int().min(0).default(0).describe('Skip as many results'),
      }),
      output: z.object({
        content: z.string(),
        total: z.int(),
        truncated: z.boolean(),
        nextOffset: z.int().optional(),
      }),
      annotations,
      run: async ({ path, pattern, excludePatterns, offset }, ctx: ToolContext<Session>) => {
        const guard = await workspace.guardFor(ctx)
        await using folder = await guard.locateFolder(path)
        const found = await about(path, () =>
          find(guard, folder, { include: [pattern], exclude: excludePatterns }, ctx),
        )
        const end = offset + workspace.settings.maxItems
        const truncated = found.length > end
        const base = folder.real === '/' ? '/' : `${folder.real}/`
        const content = found
          .slice(offset, end)
          .map((entry) => base + entry.path)
          .join('\n')
        const notes = truncated ? [`[There are ${found.length} results. Read on with offset ${end}.]`] : []
        const more = { total: found.length, truncated, ...(truncated && { nextOffset: end }) }
        return answer(content === '' ? 'No matches found' : content, more, ...notes)
      },
    }),
    tool({
      name: 'glob_files',
      title: 'Glob files',
      description:
        'Finds files by several globs at once, with sizes and times, by name or the newest or largest first.',
      input: z.object({
        path: z.string().default('.').describe('The folder to start in'),
        patterns: patterns.min(1).describe('Globs such as "src/**/*.ts"'),
        exclude: patterns.default([]).describe('Globs to leave out, such as "**/node_modules"'),
        sortBy: z.enum(['name', 'modified', 'size']).default('name'),
        limit: z.int().min(1).max(10_000).default(1_000),
      }),
      output: z.object({
        content: z.string(),
        files: z.array(z.object({ path: z.string(), size: z.int(), modified: z.string() })),
        total: z.int(),
        truncated: z.boolean(),
      }),
      annotations,
      run: async ({ path, patterns, exclude, sortBy, limit }, ctx: ToolContext<Session>) => {
        const guard = await workspace.guardFor(ctx)
        await using folder = await guard.locateFolder(path)
        const found = await about(path, () => find(guard, folder, { include: patterns, exclude }, ctx))
        const files = found.filter(({ type }) => type === 'file')
        if (sortBy !== 'name' && files.length > workspace.settings.maxItems) {
          throw new ToolError(`${files.length} files match: too many to sort by ${sortBy}. Use narrower patterns.`)
        }
        const wanted = sortBy === 'name' ? files.slice(0, limit) : files
        const known = await Promise.all(
          wanted.map(async (entry) => {
            const real = `${folder.real}/${entry.path}`
            return { path: real, ...(await sizeAndTime(guard, real)) }
          }),
        )
        if (sortBy === 'size') known.sort((one, other) => other.size - one.size)
        if (sortBy === 'modified') known.sort((one, other) => (one.modified < other.modified ? 1 : -1))
        const shown = known.slice(0, limit)
        const truncated = files.length > shown.length
        const notes = truncated ? [`[${files.length} files match; these are ${shown.length} of them.]`] : []
        const content = shown.map((file) => file.path).join('\n') || 'No matches found'
        return answer(content, { files: shown, total: files.length, truncated }, ...notes)
      },
    }),
    tool({
      name: 'grep_files',
      title: 'Search in files',
      description:
        'Finds lines in text files by a regular expression (JavaScript, one line at a time) or, with literal, by a plain ' +
        'text. Binary files and links are left out.',
      input: z.object({
        path: z.string().default('.').describe('The folder or file to search in'),
        pattern: z.string().min(1).max(1_000),
        literal: z.boolean().default(false).describe('The pattern is plain text'),
        ignoreCase: z.boolean().default(false),
        include: patterns.default([]).describe('Globs of the files to search, such as "**/*.ts"; default: all'),
        exclude: patterns.default([]).describe('Globs to leave out, such as "**/node_modules"'),
        context: z.int().min(0).max(20).default(0).describe('Lines to show before and after each match'),
        limit: z.int().min(1).max(10_000).default(500).describe('Most matches to return'),
      }),
      output: z.object({
        content: z.string(),
        matches: z.array(
          z.object({
            path: z.string(),
            line: z.int(),
            text: z.string(),
            before: z.array(z.string()).optional(),
            after: z.array(z.string()).optional(),
          }),
        ),
        filesSearched: z.int(),
        filesWithMatches: z.int(),
        filesSkipped: z.int().describe('Binary files, and files that cannot be read'),
        truncated: z.boolean(),
      }),
      annotations,
      run: async ({ path, limit, ...input }, ctx: ToolContext<Session>) => {
        const guard = await workspace.guardFor(ctx)
        await using start = await guard.locate(path)
        if (!start.stats.isDirectory() && !start.stats.isFile())
          throw new ToolError(`${path} is no file and no folder.`)
        compileGlobs([...input.include, ...input.exclude])
        const { maxTime, maxRead, refuseHardLinks } = workspace.settings
        const allowed = guard.folders.list.map(({ real }) => real)
        const job = { ...input, start: start.real, allowed, maxMatches: limit, maxBytes: maxRead, refuseHardLinks }
        const searched = (files: number): unknown => ctx.progress(files)
        const { matches, cut, ...counts } = await grep(job, { signal: ctx.signal, maxTimeMs: maxTime, searched })
        const base = start.stats.isDirectory() ? `${start.real}/` : start.real.slice(0, start.real.lastIndexOf('/') + 1)
        const found = matches.map((match) => ({ ...match, path: base + match.path }))
        const notes = cut ? [`[Cut after ${matches.length} matches. Narrow the search, or raise limit.]`] : []
        const content = found.map(matchText).join(input.context === 0 ? '\n' : '\n--\n') || 'No matches found'
        return answer(content, { matches: found, ...counts, truncated: cut }, ...notes)
      },
    }),
  ]
}

/** A file that is gone, or that a link took the place of, counts as empty. */
async function sizeAndTime(guard: Guard, path: string): Promise<{ size: number; modified: string }> {
  try {
    await using held = await hold(path, { follow: false })
    if (guard.folders.contains(held.real)) {
      return { size: Number(held.stats.size), modified: held.stats.mtime.toISOString() }
    }
  } catch {
    // It is gone.
  }
  return { size: 0, modified: new Date(0).toISOString() }
}

/** A match as `grep -n` prints it. */
function matchText({ path, line, text, before = [], after = [] }: GrepMatch): string {
  const around = (lines: readonly string[], first: number): string[] =>
    lines.map((one, index) => `${path}-${first + index}-${one}`)
  return [...around(before, line - before.length), `${path}:${line}:${text}`, ...around(after, line + 1)].join('\n')
}
