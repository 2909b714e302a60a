import { devNull, homedir } from 'node:os'
import { join } from 'node:path'
import { Git } from '../safe-git/git.ts'
import type { ConfigEntry } from '../safe-git/safe-config.ts'

/** The author of commits: the repository's setting, else the user's. Only the two texts are read. */
export async function identityVariables(
  program: string,
  entries: readonly ConfigEntry[],
): Promise<{ [name: string]: string }> {
  const [name, email] = await Promise.all(['name', 'email'].map((key) => find(program, entries, key)))
  return {
    ...(name !== undefined && { GIT_AUTHOR_NAME: name, GIT_COMMITTER_NAME: name }),
    ...(email !== undefined && { GIT_AUTHOR_EMAIL: email, GIT_COMMITTER_EMAIL: email }),
  }
}

async function find(program: string, entries: readonly ConfigEntry[], key: string): Promise<string | undefined> {
  const own = entries.findLast(
    (entry) => entry.section === 'user' && entry.subsection === undefined && entry.key === key,
  )
  if (own !== undefined && own.value !== '') return own.value
  const home = homedir()
  const variables = { HOME: home, GIT_DIR: devNull, GIT_CONFIG_GLOBAL: join(home, '.gitconfig') }
  const git = new Git({ program, folder: home, variables, timeoutMs: 10_000 })
  const value = await git.text(['config', '--global', '--get', `user.${key}`], { accept: [0, 1, 128] })
  return value.trim() === '' ? undefined : value.trim()
}
