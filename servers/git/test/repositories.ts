/** Real repositories for the tests, made by git itself. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { devNull, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll } from 'vitest'

const environment = {
  PATH: process.env.PATH,
  HOME: devNull,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: devNull,
  GIT_AUTHOR_DATE: '2026-01-02T03:04:05Z',
  GIT_COMMITTER_DATE: '2026-01-02T03:04:05Z',
}

export const gitIn = (folder: string, ...args: string[]): string =>
  execFileSync('git', args, { cwd: folder, env: environment, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

export function write(folder: string, path: string, text: string | Buffer, mode?: number): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text, mode === undefined ? {} : { mode })
}

const made: string[] = []
afterAll(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** A new folder, removed after the tests of the file. */
export function newFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tenon-git-test-')))
  made.push(folder)
  return folder
}

export function initRepository(folder: string): string {
  mkdirSync(folder, { recursive: true })
  gitIn(folder, 'init', '--quiet', '--initial-branch=main', '--template=')
  gitIn(folder, 'config', 'user.name', 'Ada')
  gitIn(folder, 'config', 'user.email', 'ada@example.org')
  return folder
}

/** A repository with one commit of `a.txt`. */
export function newRepository(folder: string = join(newFolder(), 'project')): string {
  initRepository(folder)
  write(folder, 'a.txt', 'one\ntwo\nthree\n')
  gitIn(folder, 'add', '.')
  gitIn(folder, 'commit', '--quiet', '--message=first')
  return folder
}
