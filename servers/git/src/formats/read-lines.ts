import type { Git } from '../safe-git/git.ts'
import { Page } from './page.ts'

export interface LinePage {
  readonly lines: string[]
  readonly next_offset?: number
}

/** One page of the lines that a command prints. Git ends when the page is full. */
export async function readLines(
  git: Git,
  args: readonly string[],
  offset: number,
  maxBytes: number,
): Promise<LinePage> {
  const page = new Page(offset, maxBytes)
  await git.lines(args, (line) => {
    page.take(line)
    return !page.isFull
  })
  return linePage(page)
}

/** One page of lines that are there already. */
export function pageOf(all: Iterable<string>, offset: number, maxBytes: number): LinePage {
  const page = new Page(offset, maxBytes)
  for (const line of all) {
    page.take(line)
    if (page.isFull) break
  }
  return linePage(page)
}

const linePage = ({ lines, nextOffset }: Page): LinePage => ({
  lines,
  ...(nextOffset !== undefined && { next_offset: nextOffset }),
})
