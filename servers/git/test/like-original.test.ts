/** The original server and ours, side by side. The README lists the differences that this file asserts. */
import { fileURLToPath } from 'node:url'
import { type Client, connect } from '@tenon/sdk/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pythonServer, requires } from '../../../scripts/requires.ts'
import { missingIn } from '../../kit/test/like-original.ts'
import { gitIn, newRepository, write } from './repositories.ts'

const program = fileURLToPath(new URL('../bin/tenon-git.js', import.meta.url))

describe('the original and ours', requires('python-servers'), () => {
  let original: Client
  let ours: Client
  let folders: [string, string]
  beforeAll(async () => {
    folders = [newRepository(), newRepository()]
    original = await connect({ command: pythonServer('git'), args: ['--repository', folders[0]] })
    ours = await connect({ command: process.execPath, args: [program, '--repository', folders[1]] })
  }, 120_000)
  afterAll(async () => {
    await original?.close()
    await ours?.close()
  })

  test('ours has every tool and parameter', async () => {
    const [theirs, own] = await Promise.all([original.listTools(), ours.listTools()])
    expect(theirs.tools).toHaveLength(12)
    expect(missingIn(own.tools, theirs.tools)).toEqual([])
  })

  /** The same call, in the repository of each. */
  const both = async (tool: string, args: { [name: string]: unknown } = {}) => {
    const [theirs, own] = await Promise.all([
      original.callTool(tool, { repo_path: folders[0], ...args }),
      ours.callTool(tool, { repo_path: folders[1], ...args }),
    ])
    expect([tool, own.isError, own.text], theirs.text).toEqual([tool, theirs.isError, own.text])
    return { theirs: theirs.text.trimEnd(), own: own.text.trimEnd() }
  }
  /** The state that both repositories should be in. */
  const state = (folder: string) => [
    gitIn(folder, 'status', '--porcelain=v2', '--branch').replaceAll(/[0-9a-f]{40}/g, ''),
    // Git ends a message with a line break, the original does not.
    gitIn(folder, 'log', '--all', '--format=%an %ae %s%n%b').replaceAll(/\n+/g, '\n'),
    gitIn(folder, 'branch', '--list'),
  ]

  test('a script of calls has the same results and leaves the same repository', async () => {
    for (const folder of folders) {
      write(folder, 'a.txt', 'one\n2\nthree\n')
      write(folder, 'new file.txt', 'new\n')
    }
    const status = await both('git_status')
    for (const part of [
      'On branch main',
      'Changes not staged for commit:',
      'a.txt',
      'Untracked files:',
      'new file.txt',
    ]) {
      expect(status.theirs).toContain(part)
      expect(status.own).toContain(part)
    }
    for (const [tool, args] of [
      ['git_diff_unstaged', {}],
      ['git_diff_unstaged', { context_lines: 0 }],
      ['git_diff', { target: 'HEAD' }],
      ['git_branch', { branch_type: 'local' }],
      ['git_show', { revision: 'HEAD:a.txt' }],
      ['git_show', { revision: 'HEAD:' }],
    ] as const) {
      const { theirs, own } = await both(tool, args)
      expect(own, tool).toBe(theirs)
    }
    await both('git_add', { files: ['a.txt', 'new file.txt'] })
    const staged = await both('git_diff_staged')
    expect(staged.own).toBe(staged.theirs)
    await both('git_reset')
    expect(state(folders[1])).toEqual(state(folders[0]))
    await both('git_add', { files: ['.'] })
    await both('git_commit', { message: 'a subject\n\na body' })
    await both('git_commit', { message: 'nothing is staged' })
    await both('git_create_branch', { branch_name: 'topic', base_branch: 'main' })
    await both('git_create_branch', { branch_name: 'topic' })
    await both('git_checkout', { branch_name: 'topic' })
    expect(state(folders[1])).toEqual(state(folders[0]))
    await both('git_checkout', { branch_name: 'main~1' })
    await both('git_checkout', { branch_name: 'main' })
    await both('git_branch', { branch_type: 'all', contains: 'topic' })
    expect(state(folders[1])).toEqual(state(folders[0]))
    const log = await both('git_log', { max_count: 5 })
    const withoutFacts = (text: string) => text.replaceAll(/[0-9a-f]{40}|^Date: .*$/gm, '').replaceAll(/\n+/g, '\n')
    expect(withoutFacts(log.own)).toBe(withoutFacts(log.theirs))
    const shown = await both('git_show', { revision: 'HEAD' })
    for (const part of ['    a subject', '    a body', '+++ b/a.txt', '-two', '+2']) {
      expect(shown.theirs).toContain(part)
      expect(shown.own).toContain(part)
    }
  })

  test.each([
    ['git_show', { revision: 'absent' }],
    ['git_show', { revision: '--help' }],
    ['git_diff', { target: '--output=x' }],
    ['git_checkout', { branch_name: 'absent' }],
    ['git_add', { files: ['../outside'] }],
    ['git_branch', { branch_type: 'other' }],
    ['git_status', { repo_path: '/' }],
  ] as const)('both refuse %s %o', async (tool, args) => {
    for (const client of [original, ours]) {
      expect(await client.callTool(tool, { repo_path: folders[client === ours ? 1 : 0], ...args })).toMatchObject({
        isError: true,
      })
    }
  })

  test('difference: ours answers a page of a large diff, the original all of it', async () => {
    for (const folder of folders) write(folder, 'large.txt', 'a line of text\n'.repeat(20_000))
    for (const folder of folders) gitIn(folder, 'add', '.')
    expect((await original.callTool('git_diff_staged', { repo_path: folders[0] })).text.length).toBeGreaterThan(300_000)
    const own = await ours.callTool('git_diff_staged')
    expect(own.text.length).toBeLessThan(70_000)
    expect(own.text).toContain('call again with offset')
  })
})
