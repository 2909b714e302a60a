/** The program: flags, cancellation, the network. */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { connect } from '@tenon/sdk/client'
import { createGitServer } from '@tenon/server-git'
import { describe, expect, test } from 'vitest'
import { requires } from '../../../scripts/requires.ts'
import { gitIn, newFolder, newRepository, write } from './repositories.ts'

const program = fileURLToPath(new URL('../bin/tenon-git.js', import.meta.url))
const run = (...args: string[]) => spawnSync(process.execPath, [program, ...args], { encoding: 'utf8', input: '' })

test('a missing folder is one line and exit code 2', () => {
  const missing = join(newFolder(), 'missing')
  expect(run(missing)).toMatchObject({
    status: 2,
    stderr: `tenon-git: --repository: there is no folder ${missing}\nTry tenon-git --help.\n`,
  })
})

test('help fits into 80 columns', () => {
  const { stdout } = run('--help')
  expect(stdout).toContain('--clone-into FOLDER')
  // The path of the program cannot be broken.
  const breakable = stdout.split('\n').filter((line) => !line.includes('tenon-git.js'))
  expect(breakable.filter((line) => line.length > 80)).toEqual([])
})

test('a subfolder stands for its repository, a folder of repositories for them', async () => {
  const folder = newFolder()
  const one = newRepository(join(folder, 'one'))
  newRepository(join(folder, 'two'))
  write(one, 'sub/b.txt', 'b\n')
  {
    await using client = await connect({ command: process.execPath, args: [program, join(one, 'sub')] })
    expect((await client.callTool('git_status')).text).toContain('sub/')
  }
  await using client = await connect({ command: process.execPath, args: [program, folder] })
  for (const name of ['one', 'two']) {
    expect((await client.callTool('git_log', { repo_path: join(folder, name) })).isError).toBe(false)
  }
  expect((await client.callTool('git_log')).text).toContain('not in a Git repository')
})

test('the program leaves nothing in the temporary folder', async () => {
  const temporary = newFolder()
  {
    await using client = await connect({
      command: process.execPath,
      args: [program, newRepository()],
      env: { TMPDIR: temporary },
    })
    await client.callTool('git_status')
    expect(readdirSync(temporary)).toHaveLength(1)
  }
  await expect.poll(() => readdirSync(temporary), { timeout: 100_000 }).toEqual([])
})

describe('cancelling', requires('proc'), () => {
  /** The command lines of git processes that work in a folder. */
  const running = (folder: string): string[] =>
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((pid) => {
        try {
          const environment = readFileSync(`/proc/${pid}/environ`, 'utf8')
          return environment.includes(`GIT_DIR=${folder}/.git\0`) ? [readFileSync(`/proc/${pid}/cmdline`, 'utf8')] : []
        } catch {
          return []
        }
      })

  /** Git waits for ever: it opens the file, and nobody writes to the pipe. */
  function slowRepository(): string {
    const folder = newRepository()
    execFileSync('mkfifo', [join(folder, '.gitignore')])
    return folder
  }

  test('ends git', async () => {
    const folder = slowRepository()
    const { server, close } = createGitServer({ repository: [folder] })
    await using client = await connect(server)
    const stop = new AbortController()
    const call = client.callTool('git_status', {}, { signal: stop.signal })
    call.catch(() => {})
    await expect.poll(() => running(folder), { timeout: 100_000 }).toEqual([expect.stringContaining('status')])
    stop.abort()
    await expect(call).rejects.toThrow()
    await expect.poll(() => running(folder), { timeout: 100_000 }).toEqual([])
    await close()
  })

  test('is not needed: git has a time limit', async () => {
    const folder = slowRepository()
    const { server, close } = createGitServer({ repository: [folder], timeout: 500 })
    await using client = await connect(server)
    expect(await client.callTool('git_status')).toMatchObject({
      isError: true,
      text: expect.stringContaining('longer than 0.5 s'),
    })
    expect(running(folder)).toEqual([])
    await close()
  })
})

describe('fetch, push and clone', () => {
  const settings = (folder: string, cloneInto?: string) => ({
    repository: [folder],
    allowFetch: true,
    allowPush: true,
    allowProtocol: ['file'],
    ...(cloneInto !== undefined && { cloneInto }),
  })

  test('exist only if they are allowed', async () => {
    const { server, close } = createGitServer({ repository: [newRepository()] })
    await using client = await connect(server)
    const names = (await client.listTools()).tools.map(({ name }) => name)
    expect(names.filter((name) => /fetch|push$|clone/.test(name) && name !== 'git_stash_push')).toEqual([])
    await expect(client.callTool('git_fetch', {})).rejects.toThrow(/git_fetch/)
    await close()
  })

  test('work with a remote', async () => {
    const bare = join(newFolder(), 'bare.git')
    const folder = newRepository()
    gitIn(folder, 'clone', '--quiet', '--bare', folder, bare)
    gitIn(folder, 'remote', 'add', 'origin', `file://${bare}`)
    const clones = newFolder()
    const { server, close } = createGitServer(settings(folder, clones))
    await using client = await connect(server)
    expect((await client.callTool('git_fetch', { repo_path: folder })).structured).toEqual({ updated: ['origin/main'] })
    gitIn(folder, 'commit', '--quiet', '--allow-empty', '--message=more')
    const pushed = await client.callTool('git_push', { repo_path: folder, branch: 'main' })
    expect(pushed, pushed.text).toMatchObject({ isError: false })
    expect(gitIn(bare, 'log', '-1', '--format=%s', 'main').trim()).toBe('more')
    const cloned = await client.callTool('git_clone', { url: `file://${bare}` })
    expect(cloned.structured).toEqual({ path: join(clones, 'bare'), branch: 'main' })
    expect(existsSync(join(clones, 'bare/a.txt'))).toBe(true)
    expect((await client.callTool('git_log', { repo_path: join(clones, 'bare') })).text).toContain('more')
    // A push that would drop commits is refused.
    gitIn(folder, 'reset', '--quiet', '--hard', 'HEAD~1')
    gitIn(folder, 'commit', '--quiet', '--allow-empty', '--message=other')
    expect((await client.callTool('git_push', { repo_path: folder, branch: 'main' })).isError).toBe(true)
    await close()
  })

  test('refuse other protocols, other remotes and folders elsewhere', async () => {
    const folder = newRepository()
    const clones = newFolder()
    gitIn(folder, 'remote', 'add', 'origin', 'file:///x')
    const { server, close } = createGitServer({ ...settings(folder, clones), allowProtocol: [] })
    await using client = await connect(server)
    expect((await client.callTool('git_fetch', { repo_path: folder })).text).toContain("transport 'file' not allowed")
    expect((await client.callTool('git_fetch', { repo_path: folder, remote: '--upload-pack=x' })).text).toContain(
      'There is no remote',
    )
    for (const args of [
      { url: `file://${folder}`, folder: '../x' },
      { url: folder },
      { url: '-x' },
      { url: 'ext::sh -c x', folder: 'y' },
    ]) {
      expect(await client.callTool('git_clone', args), JSON.stringify(args)).toMatchObject({ isError: true })
    }
    expect(readdirSync(clones)).toEqual([])
    await close()
  })
})
