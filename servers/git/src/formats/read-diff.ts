import { z } from 'zod'
import type { Git } from '../safe-git/git.ts'
import { DiffReader, type FileDiff, fileDiffSchema } from './diff-format.ts'
import { Page } from './page.ts'

/** Options of every command that prints patches: no program of a repository or a user takes part in them. */
export const patchOptions: readonly string[] = [
  '--no-color',
  '--no-ext-diff',
  '--no-textconv',
  '--ignore-submodules=dirty',
  '--src-prefix=a/',
  '--dst-prefix=b/',
  '--find-renames',
]

export interface DiffPage {
  readonly text: string[]
  readonly files: FileDiff[]
  readonly next_offset?: number
}

export const diffPageFields: {
  files: z.ZodType<FileDiff[]>
  next_offset: z.ZodOptional<z.ZodInt>
} = {
  files: z.array(fileDiffSchema).describe('The files of this page'),
  next_offset: z.int().optional().describe('Offset of the next page in lines of the patch, if there is one'),
}

/**
 * Runs a command that prints a patch, and reads one page of it. Git ends when the page is full. Lines before the patch
 * go to `isPatch` until it says that the patch begins.
 */
export async function readDiff(
  git: Git,
  args: readonly string[],
  offset: number,
  maxBytes: number,
  isPatch: (line: string) => boolean = () => true,
): Promise<DiffPage> {
  const page = new Page(offset, maxBytes)
  const reader = new DiffReader()
  let hasBegun = false
  await git.lines(args, (line) => {
    hasBegun ||= isPatch(line)
    if (!hasBegun) return true
    const isOnPage = page.take(line)
    if (!page.isFull) reader.read(line, isOnPage)
    return !page.isFull
  })
  const next = page.nextOffset
  return { text: page.lines, files: reader.files, ...(next !== undefined && { next_offset: next }) }
}
