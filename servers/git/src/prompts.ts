import { prompt, type ServerPrompt } from '@tenon/sdk/server'
import { z } from 'zod'

const repo_path = z.string().max(4_096).optional().describe('The path to the Git repository')
const inRepository = (path: string | undefined): string =>
  path === undefined ? '' : ` in the repository ${JSON.stringify(path)}`

/** Work that people ask for often. */
export const prompts: readonly ServerPrompt[] = [
  prompt({
    name: 'commit_staged',
    title: 'Commit the staged changes',
    description: 'Writes a message for the staged changes, and commits them after a question',
    arguments: z.object({ repo_path }),
    run: ({ repo_path }) =>
      `Read the staged changes with git_diff_staged${inRepository(repo_path)}, and the style of messages with git_log.
Write a commit message: a subject of at most 72 characters that says the new behaviour, and a body with the reason if it is not plain.
Show it to me. Call git_commit only after I agree.`,
  }),
  prompt({
    name: 'review_branch',
    title: 'Review a branch',
    description: 'Reads the changes of a branch since it left another one',
    arguments: z.object({ branch: z.string().max(1_000), base: z.string().max(1_000).optional(), repo_path }),
    run: ({ branch, base = 'main', repo_path }) =>
      `Review the changes of ${branch} since it left ${base}${inRepository(repo_path)}: git_diff with the target "${base}...${branch}", first with stat_only.
Look for mistakes, missing tests and unclear names. Read surroundings with git_read_file where the patch is not enough.
Answer with a list: file and line, the problem, a proposal. Say so if there is none.`,
  }),
]
