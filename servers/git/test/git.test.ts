/** Every tool of the git server, on real repositories. */
import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Client, connect } from '@tenon/sdk/client'
import { revisions } from '@tenon/sdk/server'
import { createGitServer, type GitServerSettings } from '@tenon/server-git'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { gitIn, initRepository, newFolder, newRepository, write } from './repositories.ts'

let folder: string
beforeEach(() => {
  folder = newRepository()
})

const closing: (() => Promise<void>)[] = []
/** The client of a test that needs no special settings. */
let usual: Promise<Client> | undefined
afterEach(async () => {
  usual = undefined
  for (const close of closing.splice(0)) await close()
})

async function open(
  settings: Partial<GitServerSettings> = {},
  options: Parameters<typeof connect>[1] = {},
): Promise<Client> {
  const { server, close } = createGitServer({ repository: [folder], ...settings })
  const client = await connect(server, options)
  closing.push(async () => {
    await client.close()
    await close()
  })
  return client
}

async function call<T = { [name: string]: never }>(
  name: string,
  args: object = {},
  settings: Partial<GitServerSettings> = {},
) {
  const isUsual = Object.keys(settings).length === 0
  if (isUsual) usual ??= open()
  const client = await (isUsual ? usual! : open(settings))
  return client.callTool<T>(name, args as { [name: string]: unknown })
}

/** The structured content of a call that has to succeed. */
async function ask<T>(name: string, args: object = {}, settings: Partial<GitServerSettings> = {}): Promise<T> {
  const { isError, text, structured } = await call<T>(name, args, settings)
  if (isError) throw new Error(text)
  return structured!
}

const head = (): string => gitIn(folder, 'rev-parse', 'HEAD').trim()

describe('git_status', () => {
  test('tells staged, unstaged, untracked and renamed files apart', async () => {
    write(folder, 'b.txt', 'b\n')
    write(folder, 'old name.txt', 'a file with enough text to be recognised\n')
    gitIn(folder, 'add', '.')
    gitIn(folder, 'commit', '--quiet', '--message=second')
    gitIn(folder, 'mv', 'old name.txt', 'new name.txt')
    write(folder, 'a.txt', 'changed\n')
    write(folder, 'b.txt', 'staged\n')
    gitIn(folder, 'add', 'b.txt')
    write(folder, 'ünï.txt', '')
    const { text, structured } = await call('git_status')
    expect(structured).toEqual({
      branch: 'main',
      commit: head(),
      files: [
        { path: 'a.txt', unstaged: 'modified', kind: 'tracked' },
        { path: 'b.txt', staged: 'modified', kind: 'tracked' },
        { path: 'new name.txt', old_path: 'old name.txt', staged: 'renamed', kind: 'tracked' },
        { path: 'ünï.txt', kind: 'untracked' },
      ],
      total: 4,
    })
    expect(text).toContain('On branch main')
    expect(text).toContain('renamed: old name.txt -> new name.txt')
  })

  test('knows the upstream, a detached HEAD, and a repository without commits', async () => {
    gitIn(folder, 'update-ref', 'refs/remotes/origin/main', 'HEAD')
    gitIn(folder, 'config', 'remote.origin.url', 'https://example.org/x')
    gitIn(folder, 'config', 'remote.origin.fetch', '+refs/heads/*:refs/remotes/origin/*')
    gitIn(folder, 'config', 'branch.main.remote', 'origin')
    gitIn(folder, 'config', 'branch.main.merge', 'refs/heads/main')
    gitIn(folder, 'commit', '--quiet', '--allow-empty', '--message=more')
    expect(await ask('git_status')).toMatchObject({ upstream: 'origin/main', ahead: 1, behind: 0, files: [] })
    gitIn(folder, 'checkout', '--quiet', '--detach')
    expect(await ask('git_status')).toMatchObject({ branch: null })
    const empty = initRepository(join(newFolder(), 'empty'))
    expect(await ask('git_status', {}, { repository: [empty] })).toMatchObject({ branch: 'main', commit: null })
  })
})

interface DiffPage {
  files: { hunks: { lines: string[] }[] }[]
  next_offset?: number
}

describe('diffs', () => {
  test('are text and data', async () => {
    write(folder, 'a.txt', 'one\n2\nthree\n')
    const { text, structured } = await call('git_diff_unstaged', { context_lines: 0 })
    expect(text).toContain('--- a/a.txt\n+++ b/a.txt\n@@ -2 +2 @@ one\n-two\n+2')
    expect(structured).toEqual({
      files: [
        {
          path: 'a.txt',
          status: 'modified',
          binary: false,
          hunks: [{ old_start: 2, old_lines: 1, new_start: 2, new_lines: 1, section: 'one', lines: ['-two', '+2'] }],
        },
      ],
    })
    gitIn(folder, 'add', '.')
    expect(await ask('git_diff_unstaged')).toEqual({ files: [] })
    expect(await ask('git_diff_staged')).toMatchObject({ files: [{ path: 'a.txt' }] })
    expect(await ask('git_diff', { target: 'HEAD' })).toMatchObject({ files: [{ path: 'a.txt' }] })
  })

  test('know added, deleted, renamed, binary and oddly named files', async () => {
    write(folder, 'moved.txt', 'enough text to recognise the file again\nsecond\n')
    write(folder, 'gone.txt', 'gone\n')
    gitIn(folder, 'add', '.')
    gitIn(folder, 'commit', '--quiet', '--message=second')
    gitIn(folder, 'mv', 'moved.txt', 'to "there"\n.txt')
    gitIn(folder, 'rm', '--quiet', 'gone.txt')
    write(folder, 'bytes', Buffer.from([0, 1, 2]))
    write(folder, 'empty file', '')
    write(folder, 'no end', '--- tricky')
    gitIn(folder, 'add', '.')
    const { files } = await ask<{ files: { path: string; hunks: { lines: string[] }[] }[] }>('git_diff_staged')
    expect(files.map(({ hunks: _, ...file }) => file)).toEqual([
      { path: 'bytes', status: 'added', binary: true },
      { path: 'empty file', status: 'added', binary: false },
      { path: 'gone.txt', status: 'deleted', binary: false },
      { path: 'no end', status: 'added', binary: false },
      { path: 'to "there"\n.txt', old_path: 'moved.txt', status: 'renamed', binary: false },
    ])
    expect(files[3]!.hunks[0]!.lines).toEqual(['+--- tricky', '\\ No newline at end of file'])
    const { stat } = await ask<{ stat: object }>('git_diff_staged', { stat_only: true })
    expect(stat).toMatchObject({ additions: 1, deletions: 1, omitted: 0, files: { length: 5 } })
  })

  test('compare two branches, and a branch with the point where it left', async () => {
    gitIn(folder, 'checkout', '--quiet', '-b', 'topic')
    write(folder, 'topic.txt', 't\n')
    gitIn(folder, 'add', '.')
    gitIn(folder, 'commit', '--quiet', '--message=topic')
    gitIn(folder, 'checkout', '--quiet', 'main')
    write(folder, 'main.txt', 'm\n')
    gitIn(folder, 'add', '.')
    gitIn(folder, 'commit', '--quiet', '--message=main')
    const paths = async (target: string) =>
      (await ask<{ files: { path: string }[] }>('git_diff', { target })).files.map(({ path }) => path)
    expect(await paths('main..topic')).toEqual(['main.txt', 'topic.txt'])
    expect(await paths('main...topic')).toEqual(['topic.txt'])
    expect(await ask('git_diff', { target: 'main..topic', paths: ['main.txt'] })).toMatchObject({
      files: [{ path: 'main.txt' }],
    })
  })

  test('have pages, and the pages together are the whole', async () => {
    const lines = Array.from({ length: 400 }, (_, index) => `line ${index}`)
    write(folder, 'a.txt', `${lines.join('\n')}\n`)
    write(folder, 'z.txt', 'z\n')
    gitIn(folder, 'add', '.')
    const whole = gitIn(folder, 'diff', '--cached').trimEnd().split('\n')
    const pages: string[] = []
    const added: string[] = []
    let offset: number | undefined = 0
    let count = 0
    while (offset !== undefined) {
      const { text, structured }: { text: string; structured: DiffPage | undefined } = await call<DiffPage>(
        'git_diff_staged',
        { offset },
        { maxOutput: 1_000 },
      )
      expect(Buffer.byteLength(text)).toBeLessThan(1_200)
      pages.push(
        ...text
          .split('\n')
          .slice(1)
          .filter((line) => !line.startsWith('… more')),
      )
      added.push(...structured!.files.flatMap(({ hunks }) => hunks).flatMap((hunk) => hunk.lines))
      offset = structured!.next_offset
      count++
    }
    expect(count).toBeGreaterThan(4)
    expect(pages).toEqual(whole)
    expect(added.filter((line) => line.startsWith('+'))).toHaveLength(401)
  })

  test('cut a line of megabytes', async () => {
    write(folder, 'a.txt', 'x'.repeat(3_000_000))
    const { text } = await call('git_diff_unstaged')
    expect(text.length).toBeLessThan(10_000)
    expect(text).toContain('more characters)')
  })
})

describe('changes', () => {
  test('git_add stages, git_commit commits, git_reset takes back', async () => {
    write(folder, 'b.txt', 'b\n')
    write(folder, '-rf', 'a name like an option\n')
    expect(await ask('git_add', { files: ['b.txt', '-rf'] })).toEqual({ files: ['-rf', 'b.txt'], total: 2 })
    expect((await call('git_add', { files: ['.'] })).text).toContain('Nothing was staged')
    expect(await ask('git_reset')).toEqual({ files: ['-rf', 'b.txt'], total: 2 })
    await ask('git_add', { files: ['.'] })
    const made = await ask<{ commit: string }>('git_commit', { message: '-m --amend\n\nbody' })
    expect(made).toMatchObject({ commit: head(), branch: 'main', stat: { additions: 2, files: { length: 2 } } })
    expect(gitIn(folder, 'log', '-1', '--format=%an %ae %B').trim()).toBe('Ada ada@example.org -m --amend\n\nbody')
    expect(await call('git_commit', { message: 'again' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('git_add'),
    })
  })

  test('git_add refuses paths outside, and files with a content filter', async () => {
    for (const path of ['../elsewhere', '/etc/passwd', 'a/../../b']) {
      expect(await call('git_add', { files: [path] })).toMatchObject({
        isError: true,
        text: expect.stringContaining('outside the repository'),
      })
    }
    write(folder, '.gitattributes', '*.bin filter=lfs\n')
    write(folder, 'big.bin', 'contents\n')
    expect(await call('git_add', { files: ['.'] })).toMatchObject({
      isError: true,
      text: expect.stringContaining('big.bin (lfs)'),
    })
    expect(gitIn(folder, 'diff', '--cached', '--name-only')).toBe('')
  })

  test('calls at the same time do not trip over each other', async () => {
    const client = await open()
    for (let index = 0; index < 12; index++) write(folder, `f${index}`, `${index}\n`)
    const results = await Promise.all(
      Array.from({ length: 12 }, (_, index) => client.callTool('git_add', { files: [`f${index}`] })),
    )
    expect(results.filter(({ isError }) => isError)).toEqual([])
    expect(gitIn(folder, 'diff', '--cached', '--name-only').trim().split('\n')).toHaveLength(12)
  })
})

describe('git_log and git_show', () => {
  test('list commits in pages, and show one', async () => {
    for (let index = 0; index < 30; index++)
      gitIn(folder, 'commit', '--quiet', '--allow-empty', `--message=number ${index}`)
    const first = await ask<{ commits: { message: string }[]; next_offset: number }>('git_log', { max_count: 20 })
    expect(first).toMatchObject({ commits: { length: 20 }, next_offset: 20 })
    expect(first.commits[0]).toMatchObject({
      commit: head(),
      author: 'Ada',
      email: 'ada@example.org',
      date: '2026-01-02T03:04:05+00:00',
      message: 'number 29\n',
    })
    const second = await ask<{ commits: object[] }>('git_log', { max_count: 20, offset: 20 })
    expect(second.commits).toHaveLength(11)
    expect(second).not.toHaveProperty('next_offset')
    const small = await ask<{ commits: object[]; next_offset: number }>(
      'git_log',
      { max_count: 20 },
      { maxOutput: 500 },
    )
    expect(small.next_offset).toBe(small.commits.length)
    expect(small.commits.length).toBeLessThan(10)
  })

  test('a message cannot pass for a patch or for another commit', async () => {
    const message = `subject\n\ndiff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n\x01\ncommit ${'0'.repeat(40)}\n${'long '.repeat(1_000)}`
    write(folder, 'a.txt', 'changed\n')
    await ask('git_add', { files: ['a.txt'] })
    await ask('git_commit', { message })
    const shown = await ask<{ commit: { message: string }; files: object[] }>('git_show', { revision: 'HEAD' })
    expect(shown.files).toMatchObject([{ path: 'a.txt' }])
    expect(shown.commit.message).toContain('+++ b/x')
    expect((await ask<{ commits: { message: string }[] }>('git_log')).commits).toMatchObject([
      { message: `${message.trimEnd()}\n` },
      { message: 'first\n' },
    ])
  })

  test('filter by path, text, author and time', async () => {
    gitIn(folder, 'commit', '--quiet', '--allow-empty', '--message=Fix the (bug)', '--author=Grace <g@example.org>')
    const subjects = async (args: object) =>
      (await ask<{ commits: { message: string }[] }>('git_log', args)).commits.map(({ message }) => message.trim())
    expect(await subjects({ paths: ['a.txt'] })).toEqual(['first'])
    expect(await subjects({ grep: '(bug)' })).toEqual(['Fix the (bug)'])
    expect(await subjects({ author: 'grace' })).toEqual(['Fix the (bug)'])
    expect(await subjects({ end_timestamp: '2020-01-01' })).toEqual([])
    expect(await subjects({ start_timestamp: '2026-01-01', revision: 'HEAD~1' })).toEqual(['first'])
  })

  test('git_show shows a commit, a merge, a file and a folder', async () => {
    write(folder, 'src/b.txt', 'b\n')
    gitIn(folder, 'add', '.')
    gitIn(folder, 'commit', '--quiet', '--message=second\n\nwith a body')
    gitIn(folder, 'tag', '--annotate', '--message=tagged', 'v1')
    const commit = await call('git_show', { revision: 'v1' })
    expect(commit.text).toContain('    with a body')
    expect(commit.structured).toMatchObject({
      type: 'commit',
      commit: { commit: head(), parents: { length: 1 } },
      files: [{ path: 'src/b.txt', status: 'added' }],
    })
    expect(await ask('git_show', { revision: 'HEAD~1' })).toMatchObject({ files: [{ path: 'a.txt', status: 'added' }] })
    expect(await ask('git_show', { revision: 'HEAD:src/b.txt' })).toMatchObject({ type: 'file', lines: ['b'] })
    expect(await ask('git_show', { revision: 'HEAD:' })).toMatchObject({
      type: 'directory',
      entries: ['a.txt', 'src/'],
    })
  })
})

describe('branches, tags, stashes, worktrees, remotes', () => {
  test('branches are created, listed and switched', async () => {
    expect(await ask('git_create_branch', { branch_name: 'topic/x' })).toEqual({ branch: 'topic/x', commit: head() })
    gitIn(folder, 'commit', '--quiet', '--allow-empty', '--message=more')
    expect((await call('git_branch', { branch_type: 'local' })).text).toBe('* main\n  topic/x')
    expect((await call('git_branch', { branch_type: 'local', contains: 'main' })).text).toBe('* main')
    expect((await call('git_branch', { branch_type: 'all', not_contains: head() })).text).toBe('  topic/x')
    expect(await ask('git_checkout', { branch_name: 'topic/x' })).toMatchObject({ branch: 'topic/x' })
    expect(gitIn(folder, 'branch', '--show-current').trim()).toBe('topic/x')
    expect(await ask('git_checkout', { branch_name: 'main~1' })).toMatchObject({ branch: null })
    for (const branch_name of ['topic/x', 'a..b', 'x.lock'])
      expect(await call('git_create_branch', { branch_name })).toMatchObject({ isError: true })
  })

  test('a switch that would overwrite changes is refused', async () => {
    gitIn(folder, 'checkout', '--quiet', '-b', 'topic')
    write(folder, 'a.txt', 'topic\n')
    gitIn(folder, 'commit', '--quiet', '--all', '--message=topic')
    write(folder, 'a.txt', 'mine\n')
    expect(await call('git_checkout', { branch_name: 'main' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('a.txt'),
    })
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('mine\n')
  })

  test('a switch that would overwrite a file that git ignores is refused', async () => {
    gitIn(folder, 'checkout', '--quiet', '-b', 'hostile')
    write(folder, '.env', 'EVIL=1\n')
    gitIn(folder, 'add', '--force', '.env')
    gitIn(folder, 'commit', '--quiet', '--message=env')
    gitIn(folder, 'checkout', '--quiet', 'main')
    write(folder, '.git/info/exclude', '.env\n')
    write(folder, '.env', 'SECRET=mine\n')
    expect(await call('git_checkout', { branch_name: 'hostile' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('.env'),
    })
    expect(readFileSync(join(folder, '.env'), 'utf8')).toBe('SECRET=mine\n')
  })

  test('tags are created and listed', async () => {
    await ask('git_create_tag', { tag_name: 'v1' })
    await ask('git_create_tag', { tag_name: 'v2', message: 'the second\n' })
    const { tags } = await ask<{ tags: { name: string }[] }>('git_tags')
    expect(tags.sort((a, b) => a.name.localeCompare(b.name))).toMatchObject([
      { name: 'v1', commit: head(), annotated: false },
      { name: 'v2', commit: head(), annotated: true, subject: 'the second' },
    ])
    expect(await call('git_create_tag', { tag_name: 'v1' })).toMatchObject({ isError: true })
  })

  test('changes are stashed, listed, brought back and dropped', async () => {
    expect(await call('git_stash_push')).toMatchObject({ isError: true })
    write(folder, 'a.txt', 'work\n')
    write(folder, 'new.txt', 'n\n')
    expect(await ask('git_stash_push', { message: 'later', include_untracked: true })).toMatchObject({
      message: 'On main: later',
    })
    expect(existsSync(join(folder, 'new.txt'))).toBe(false)
    expect(await ask('git_stash_list')).toMatchObject({ stashes: [{ index: 0, message: 'On main: later' }] })
    await ask('git_stash_apply')
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('work\n')
    await ask('git_stash_drop')
    expect(await ask('git_stash_list')).toEqual({ stashes: [] })
    expect(await call('git_stash_drop')).toMatchObject({ isError: true })
  })

  test('worktrees are listed, and usable if they are allowed', async () => {
    const other = join(newFolder(), 'other')
    gitIn(folder, 'worktree', 'add', '--quiet', '-b', 'side', other)
    const { worktrees } = await ask<{ worktrees: object[] }>('git_worktrees')
    expect(worktrees).toMatchObject([
      { path: folder, branch: 'main' },
      { path: other, branch: 'side' },
    ])
    expect(await ask('git_status', { repo_path: other }, { repository: [folder, other] })).toMatchObject({
      branch: 'side',
    })
    // Its git folder lies in the main repository, which is not allowed here.
    expect(await call('git_status', { repo_path: other }, { repository: [other] })).toMatchObject({ isError: true })
  })

  test('remotes are listed without passwords', async () => {
    gitIn(folder, 'remote', 'add', 'origin', 'https://ada:secret@example.org/x.git')
    expect(await ask('git_remotes')).toEqual({
      remotes: [{ name: 'origin', urls: ['https://***@example.org/x.git'], push_urls: [] }],
    })
  })
})

describe('files', () => {
  test('are read at a revision, in pages', async () => {
    write(folder, 'a.txt', 'changed\n')
    expect(await ask('git_read_file', { path: 'a.txt' })).toMatchObject({
      lines: ['one', 'two', 'three'],
      binary: false,
      size: 14,
    })
    expect(await ask('git_read_file', { path: 'a.txt', offset: 1 }, { maxOutput: 5 })).toMatchObject({
      lines: ['two'],
      next_offset: 2,
    })
    expect(await call('git_read_file', { path: 'b.txt' })).toMatchObject({ isError: true })
    expect(await call('git_read_file', { path: '../x' })).toMatchObject({ isError: true })
  })

  test('a binary file is a link to a resource', async () => {
    write(folder, 'bytes', Buffer.from([0, 1, 2]))
    gitIn(folder, 'add', '.')
    gitIn(folder, 'commit', '--quiet', '--message=bytes')
    const client = await open()
    const { content } = await client.callTool('git_read_file', { path: 'bytes' })
    const { uri } = content.find(({ type }) => type === 'resource_link') as { uri: string }
    expect((await client.readResource(uri)).contents).toMatchObject([{ blob: 'AAEC' }])
  })

  test('are listed, blamed and searched', async () => {
    write(folder, 'src/b.txt', 'two [x]\n')
    gitIn(folder, 'add', '.')
    gitIn(folder, 'commit', '--quiet', '--message=second')
    expect(await ask('git_list_files')).toEqual({ files: ['a.txt', 'src/b.txt'] })
    expect(await ask('git_list_files', { path: 'src' })).toEqual({ files: ['src/b.txt'] })
    const { lines } = await ask<{ lines: object[] }>('git_blame', { path: 'a.txt', start_line: 2 })
    expect(lines).toMatchObject([
      { line: 2, author: 'Ada', summary: 'first', text: 'two' },
      { line: 3, text: 'three' },
    ])
    expect(await ask('git_grep', { pattern: '[x]' })).toEqual({
      matches: [{ path: 'src/b.txt', line: 1, text: 'two [x]' }],
      more: false,
    })
    expect(await ask('git_grep', { pattern: '^t.o', regex: true, revision: 'HEAD', max_matches: 1 })).toEqual({
      matches: [{ path: 'a.txt', line: 2, text: 'two' }],
      more: true,
    })
    expect(await ask('git_grep', { pattern: 'absent' })).toEqual({ matches: [], more: false })
    expect(
      (await ask<{ matches: object[] }>('git_grep', { pattern: 'TWO', ignore_case: true, paths: ['src'] })).matches,
    ).toHaveLength(1)
  })

  test('are resources whose repository, revision and path complete', async () => {
    gitIn(folder, 'branch', 'topic/x')
    const client = await open()
    const ref = { type: 'ref/resource', uri: 'git:///{repository}/{revision}/{+path}' } as const
    const complete = async (name: string, value: string, others: { [name: string]: string } = {}) =>
      (await client.complete(ref, { name, value }, { context: { arguments: others } })).values
    expect(await complete('repository', 'pro')).toEqual(['project'])
    expect(await complete('revision', 'to', { repository: 'project' })).toEqual(['topic/x'])
    expect(await complete('path', 'a', { repository: 'project', revision: 'topic/x' })).toEqual(['a.txt'])
    expect((await client.readResource('git:///project/topic%2Fx/a.txt')).contents).toMatchObject([
      { text: 'one\ntwo\nthree\n' },
    ])
    for (const uri of ['git:///other/main/a.txt', 'git:///project/main/none', 'git:///project/main/../../x']) {
      await expect(client.readResource(uri)).rejects.toThrow()
    }
  })
})

describe('access', () => {
  test('only configured repositories, whatever leads elsewhere', async () => {
    const other = newRepository()
    for (const repo_path of [other, '/', join(folder, '..'), join(folder, 'missing')]) {
      expect(await call('git_status', { repo_path }), repo_path).toMatchObject({ isError: true })
    }
    symlinkSync(other, join(folder, 'link'))
    expect(await call('git_status', { repo_path: join(folder, 'link') })).toMatchObject({
      isError: true,
      text: expect.stringContaining('outside'),
    })
  })

  test('the client’s roots count if nothing is configured, and only then', async () => {
    const options = { roots: [{ uri: pathToFileURL(folder).href }] }
    const withRoots = await open({ repository: [] }, options)
    expect((await withRoots.callTool('git_status', { repo_path: folder })).isError).toBe(false)
    const elsewhere = newRepository()
    expect((await withRoots.callTool('git_status', { repo_path: elsewhere })).isError).toBe(true)
    const configured = await open({ repository: [elsewhere] }, options)
    expect((await configured.callTool('git_status', { repo_path: folder })).isError).toBe(true)
    expect(await call('git_status', {}, { repository: [] })).toMatchObject({
      isError: true,
      text: expect.stringContaining('--repository'),
    })
  })

  test('repo_path is needed if there are several', async () => {
    const other = newRepository()
    const settings = { repository: [folder, other] }
    expect(await call('git_status', {}, settings)).toMatchObject({
      isError: true,
      text: expect.stringContaining('repo_path'),
    })
    expect(await ask('git_repositories', {}, settings)).toMatchObject({
      repositories: [{ path: folder, is_repository: true }, { path: other }],
    })
  })

  test('a bare repository can be read', async () => {
    const bare = join(newFolder(), 'bare.git')
    gitIn(folder, 'clone', '--quiet', '--bare', folder, bare)
    const settings = { repository: [bare] }
    expect(await ask('git_log', {}, settings)).toMatchObject({ commits: [{ message: 'first\n' }] })
    expect(await ask('git_grep', { pattern: 'two' }, settings)).toMatchObject({ matches: [{ path: 'a.txt' }] })
    expect(await call('git_status', {}, settings)).toMatchObject({
      isError: true,
      text: expect.stringContaining('bare'),
    })
  })
})

describe('the server', () => {
  test.each(revisions)('speaks %s', async (revision) => {
    const client = await open({}, { revisions: [revision] })
    expect((await client.callTool('git_status', { repo_path: folder })).isError).toBe(false)
  })

  test('read-only leaves the tools that change nothing', async () => {
    const client = await open({ readOnly: true, allowPush: true })
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).not.toContain('git_commit')
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true)
    expect(await client.callTool('git_commit', { message: 'x' }).catch((error) => error.message)).toMatch(/git_commit/)
  })

  test('every tool has a title, hints and an output schema', async () => {
    const client = await open({ allowFetch: true, allowPush: true, cloneInto: newFolder() })
    for (const { name, title, annotations, outputSchema } of (await client.listTools()).tools) {
      expect(title, name).toBeTruthy()
      expect(outputSchema, name).toBeTruthy()
      expect(Object.keys(annotations!).sort(), name).toEqual([
        'destructiveHint',
        'idempotentHint',
        'openWorldHint',
        'readOnlyHint',
      ])
    }
  })

  test('destructive tools ask first with --confirm', async () => {
    const asked: string[] = []
    const client = await open(
      { confirm: true },
      {
        elicit: (question) => {
          asked.push(question.message)
          return { action: 'decline' }
        },
      },
    )
    write(folder, 'b.txt', 'b\n')
    gitIn(folder, 'add', '.')
    expect((await client.callTool('git_reset')).isError).toBe(true)
    expect(asked).toHaveLength(1)
    expect(gitIn(folder, 'diff', '--cached', '--name-only')).toBe('b.txt\n')
  })
})
