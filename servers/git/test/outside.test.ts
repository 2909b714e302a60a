/** Neither a repository nor a name in a call leads outside. */
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { connect } from '@tenon/sdk/client'
import { createGitServer } from '@tenon/server-git'
import { describe, expect, test } from 'vitest'
import { calls } from './corpus.ts'
import { gitIn, newFolder, newRepository, write } from './repositories.ts'

const program = fileURLToPath(new URL('../bin/tenon-git.js', import.meta.url))

/** Calls a tool of ours for one folder. */
async function ask(
  folder: string,
  tool: string,
  args: { [name: string]: unknown } = {},
): Promise<{ isError: boolean; text: string }> {
  const { server, close } = createGitServer({ repository: [folder] })
  try {
    await using client = await connect(server)
    return await client.callTool(tool, { repo_path: folder, ...args })
  } finally {
    await close()
  }
}

describe('a repository leads nowhere outside', () => {
  const secretRepository = (): string => {
    const folder = newRepository()
    write(folder, 'secret.txt', 'the secret\n')
    gitIn(folder, 'add', '.')
    gitIn(folder, 'commit', '--quiet', '--message=secret')
    return folder
  }

  test('by a file .git', async () => {
    const secret = secretRepository()
    const folder = join(newFolder(), 'project')
    write(folder, '.git', `gitdir: ${secret}/.git\n`)
    expect(await ask(folder, 'git_log')).toMatchObject({
      isError: true,
      text: expect.stringContaining('outside the allowed folders'),
    })
  })

  test('by a link .git', async () => {
    const secret = secretRepository()
    const folder = join(newFolder(), 'project')
    mkdirSync(folder)
    symlinkSync(join(secret, '.git'), join(folder, '.git'))
    expect(await ask(folder, 'git_log')).toMatchObject({
      isError: true,
      text: expect.stringContaining('outside the allowed folders'),
    })
  })

  test.each(['objects', 'objects/pack', 'refs', 'refs/heads', 'HEAD', 'index', 'packed-refs'])(
    'by a link .git/%s',
    async (part) => {
      const secret = secretRepository()
      gitIn(secret, 'pack-refs', '--all')
      const folder = newRepository()
      gitIn(folder, 'pack-refs', '--all')
      rmSync(join(folder, '.git', part), { recursive: true, force: true })
      symlinkSync(join(secret, '.git', part), join(folder, '.git', part))
      expect(await ask(folder, 'git_log')).toMatchObject({
        isError: true,
        text: expect.stringContaining('outside the allowed folders'),
      })
    },
  )

  test('by a common folder', async () => {
    const secret = secretRepository()
    const folder = newRepository()
    write(folder, '.git/commondir', `${secret}/.git\n`)
    expect(await ask(folder, 'git_branch')).toMatchObject({
      isError: true,
      text: expect.stringContaining('outside the allowed folders'),
    })
  })

  test('by alternate objects', async () => {
    const secret = secretRepository()
    const folder = newRepository()
    write(folder, '.git/objects/info/alternates', `${secret}/.git/objects\n`)
    const revision = gitIn(secret, 'rev-parse', 'HEAD:secret.txt').trim()
    expect(await ask(folder, 'git_show', { revision })).toMatchObject({
      isError: true,
      text: expect.stringContaining('outside the allowed folders'),
    })
  })

  test('by core.worktree', async () => {
    const folder = newRepository()
    const outside = newFolder()
    write(outside, 'secret.txt', 'the secret\n')
    gitIn(folder, 'config', 'core.worktree', outside)
    const { isError, text } = await ask(folder, 'git_status')
    expect(isError).toBe(false)
    expect(text).not.toContain('secret.txt')
    await ask(folder, 'git_add', { files: ['.'] })
    expect(gitIn(folder, '-c', `core.worktree=${folder}`, 'ls-files')).toBe('a.txt\n')
  })

  test('by links to attributes, ignored files and names', async () => {
    const folder = newRepository()
    const outside = newFolder()
    write(outside, 'secret', 'first line of a secret\n')
    for (const name of ['.gitattributes', '.gitignore', '.mailmap'])
      symlinkSync(join(outside, 'secret'), join(folder, name))
    for (const [tool, args] of calls) expect((await ask(folder, tool, args)).text).not.toContain('first line')
  })

  test('by variables of the environment', async () => {
    const secret = secretRepository()
    const folder = newRepository()
    const env = {
      GIT_DIR: join(secret, '.git'),
      GIT_WORK_TREE: secret,
      GIT_INDEX_FILE: join(secret, '.git/index'),
      GIT_OBJECT_DIRECTORY: join(secret, '.git/objects'),
    }
    await using client = await connect({ command: process.execPath, args: [program, folder], env })
    expect((await client.callTool('git_log')).text).not.toContain('secret')
    expect((await client.callTool('git_list_files')).text).toBe('a.txt')
  })
})

describe('names cannot be options', () => {
  test.each([
    ['git_diff', { target: '--output=MARKER' }],
    ['git_diff', { target: 'HEAD..--output=MARKER' }],
    ['git_show', { revision: '--output=MARKER' }],
    ['git_log', { revision: '--output=MARKER' }],
    ['git_log', { start_timestamp: '--output=MARKER' }],
    ['git_log', { paths: ['--output=MARKER'] }],
    ['git_checkout', { branch_name: '--orphan=x' }],
    ['git_create_branch', { branch_name: '--force' }],
    ['git_create_branch', { branch_name: 'x', base_branch: '--output=MARKER' }],
    ['git_branch', { branch_type: 'all', contains: '--output=MARKER' }],
    ['git_blame', { path: '--output=MARKER', revision: '--output=MARKER' }],
    ['git_blame', { path: '--output=MARKER' }],
    ['git_grep', { pattern: '--open-files-in-pager=MARKER' }],
    ['git_grep', { pattern: 'two', revision: '-OMARKER' }],
    ['git_grep', { pattern: 'two', paths: ['-OMARKER'] }],
    ['git_read_file', { path: '--output=MARKER', revision: 'HEAD' }],
    ['git_list_files', { revision: 'HEAD', path: '--output=MARKER' }],
    ['git_create_tag', { tag_name: '--force' }],
    ['git_create_tag', { tag_name: 'x', revision: '--output=MARKER' }],
    ['git_add', { files: ['--chmod=+x', 'a.txt'] }],
    ['git_add', { files: [':(glob)**'] }],
    ['git_stash_push', { message: '--output=MARKER' }],
  ] as const)('%s %o', async (tool, args) => {
    const folder = newRepository()
    const marker = join(newFolder(), 'marker')
    // A branch whose name looks like an option can be made by writing its file.
    mkdirSync(join(folder, '.git/refs/heads'), { recursive: true })
    for (const name of ['--output=x', '--force', '--orphan=x']) {
      copyFileSync(join(folder, '.git/refs/heads/main'), join(folder, '.git/refs/heads', name))
    }
    const given = JSON.parse(JSON.stringify(args).replaceAll('MARKER', marker))
    const before = readFileSync(join(folder, '.git/HEAD'), 'utf8')
    await ask(folder, tool, given)
    expect(existsSync(marker)).toBe(false)
    expect(readFileSync(join(folder, '.git/HEAD'), 'utf8')).toBe(before)
    expect(gitIn(folder, 'ls-files', '--stage')).toContain('100644')
  })
})
