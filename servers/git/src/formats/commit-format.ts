import { z } from 'zod'
import type { Git } from '../safe-git/git.ts'

export interface Commit {
  commit: string
  parents: string[]
  author: string
  email: string
  /** ISO 8601, of the author. */
  date: string
  message: string
}

export const commitSchema: z.ZodType<Commit> = z.object({
  commit: z.string(),
  parents: z.array(z.string()),
  author: z.string(),
  email: z.string(),
  date: z.string(),
  message: z.string(),
})

/** Each commit ends with a line of the bytes 0 and 1. No message can contain it: git ends messages at a 0. */
export const commitFormat = '--format=tformat:%H%x00%P%x00%an%x00%ae%x00%aI%x00%B%n%x00%x01'

export const commitEnd = '\0\x01'

/** Reads a commit without its last line. */
export function parseCommit(record: string): Commit {
  const [commit = '', parents = '', author = '', email = '', date = '', ...message] = record.split('\0')
  return {
    commit,
    parents: parents.split(' ').filter((parent) => parent !== ''),
    author,
    email,
    date,
    message: message.join('\0'),
  }
}

/** Reads the commits of `git log` until there are more than `maxBytes` of them. */
export async function readCommits(
  git: Git,
  args: readonly string[],
  maxBytes: number,
): Promise<{ commits: Commit[]; isCut: boolean }> {
  const commits: Commit[] = []
  let bytes = 0
  let isCut = false
  await git.records(
    ['log', '--no-show-signature', '--no-color', commitFormat, ...args],
    `\n${commitEnd}\n`,
    (record) => {
      bytes += Buffer.byteLength(record)
      isCut = bytes > maxBytes && commits.length > 0
      if (!isCut) commits.push(parseCommit(record))
      return !isCut
    },
  )
  return { commits, isCut }
}

/** As the original writes a commit. */
export const commitText = ({ commit, author, date, message }: Commit): string =>
  `Commit: ${commit}\nAuthor: ${author}\nDate: ${date.replace('T', ' ')}\nMessage: ${message}`
