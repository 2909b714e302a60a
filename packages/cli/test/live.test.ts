import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { bare, dialogue } from './dialogue.ts'
import {
  begin,
  everything,
  everythingUrl,
  onEverything,
  onTerminal,
  parsed,
  start,
  temporaryFolder,
  tenon,
} from './tenon.ts'

let url: string

beforeAll(async () => {
  url = await everythingUrl()
})

/** The output of a running command so far. */
function follow(child: ChildProcess): { stdout(): string; stderr(): string; ended: Promise<number | null> } {
  let stdout = ''
  let stderr = ''
  child.stdout!.setEncoding('utf8').on('data', (text) => {
    stdout += text
  })
  child.stderr!.setEncoding('utf8').on('data', (text) => {
    stderr += text
  })
  const ended = once(child, 'close').then(([code]) => code as number | null)
  return { stdout: () => stdout, stderr: () => stderr, ended }
}

describe('watch', () => {
  test.each(['2025-11-25', '2026-07-28'])('updates are shown with what they brought, in %s', async (revision) => {
    const args = ['watch', url, 'board:///today', '--read', '--json', '--no-lists', '-n', '2', '--revision', revision]
    const watch = begin(args)
    await vi.waitFor(() => expect(watch.stderr()).toContain('Watching'), { timeout: 100_000 })
    expect(await tenon(['call', url, 'write_on_board', `text=${revision} \u001b[2J`])).toMatchObject({ code: 0 })
    expect(await watch.ended).toBe(0)
    const events = watch
      .stdout()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(events).toMatchObject([
      { event: 'update', uri: 'board:///today' },
      { event: 'update', uri: 'board:///today', contents: [{ text: expect.stringContaining(revision) }] },
    ])
  })

  test('changes of lists are shown until Ctrl-C', async () => {
    const child = start(['watch', url])
    const watch = follow(child)
    await vi.waitFor(() => expect(watch.stderr()).toContain('Watching the list of tools'), { timeout: 100_000 })
    await tenon(['call', url, 'toggle_extras', 'enabled=true'])
    await vi.waitFor(() => expect(watch.stdout()).toContain('the list of tools has changed'), { timeout: 100_000 })
    child.kill('SIGINT')
    expect(await watch.ended).toBe(0)
    await tenon(['call', url, 'toggle_extras', 'enabled=false'])
  })

  test('a resource that cannot be watched is an error', async () => {
    const { code, stderr } = await tenon(['watch', 'guide:///welcome', '--', process.execPath, mortal])
    expect(code).toBe(6)
    expect(stderr).toContain('error:')
  })
})

const mortal = join(import.meta.dirname, 'fixtures/mortal.mjs')

test('news appear above the line that is typed in a session, and the line stays', async () => {
  const { shown, code } = await onTerminal(['repl', url], {}, async (terminal) => {
    await dialogue(terminal, [
      ['everything> ', 'watch board:///today\r'],
      ['Watching board:///today', ''],
      ['everything> ', 'add a=40 '],
      ['add a=40 ', ''],
    ])
    await tenon(['call', url, 'write_on_board', 'text=news'])
    await dialogue(terminal, [
      ['board:///today has changed', ''],
      // The line is drawn again below the news, and can be finished.
      [/has changed\s+everything> add a=40 /, 'b=2\r'],
      ['"sum": 42', '\u0004'],
    ])
  })
  expect(code).toBe(0)
  expect(bare(shown)).toContain('"sum": 42')
})

describe('tasks', () => {
  test.each(['2025-11-25', '2026-07-28'])(
    'a task is started, looked at and awaited by several commands, in %s',
    async (revision) => {
      const at = [url, '--revision', revision]
      const started = await tenon(['call', ...at, 'cook_dinner', 'minutesMs=300', '--detach'])
      expect(started).toMatchObject({ code: 0, stderr: '' })
      const id = started.stdout.trim()
      expect(parsed(await tenon(['tasks', ...at, 'get', id, '--json']))).toMatchObject({
        ok: true,
        result: { taskId: id, status: expect.stringMatching(/working|input_required/) },
      })
      const result = await tenon(['tasks', ...at, 'result', id, '--elicit', '{"spicy":"mild"}'])
      expect(result).toEqual({ code: 0, stdout: 'Served: starter, mild main course, dessert\n', stderr: '' })
    },
  )

  test('a question of a task is answered by hand, and tasks are listed where there are lists', async () => {
    const { stdout } = await tenon(['call', url, 'cook_dinner', 'minutesMs=1', '--detach'])
    const id = stdout.trim()
    const questions = await vi.waitFor(
      async () => {
        const { result } = parsed(await tenon(['tasks', url, 'get', id, '--json'])) as {
          result: { inputRequests: object }
        }
        return Object.keys(result.inputRequests)
      },
      { timeout: 100_000 },
    )
    const answer = '{"action": "accept", "content": {"spicy": "hot"}}'
    expect(await tenon(['tasks', url, 'update', id, `${questions[0]}:=${answer}`])).toMatchObject({ code: 0 })
    expect(await tenon(['tasks', url, 'result', id])).toEqual({
      code: 0,
      stdout: 'Served: starter, hot main course, dessert\n',
      stderr: '',
    })
    const script = 'call cook_dinner minutesMs=5000 --detach\ntasks list\n'
    const listed = await tenon(['repl', '--revision', '2025-11-25', ...everything], { stdin: script })
    const [started, row] = listed.stdout.split('\n')
    expect(row).toMatch(new RegExp(`^${started} +working +20.* +Cooking the starter$`))
  })

  test('a call may become a task and is answered all the same', async () => {
    const outcome = await tenon(['call', url, 'cook_dinner', 'minutesMs=1', '--task', '--elicit', 'decline'])
    expect(outcome).toMatchObject({ code: 0, stdout: 'Served: starter, main course, dessert\n' })
  })

  test('a task is cancelled, and a wrong action has a nearest one', async () => {
    const { stdout } = await tenon(['call', url, 'cook_dinner', 'minutesMs=5000', '--detach'])
    expect(await tenon(['tasks', url, 'cancel', stdout.trim()])).toMatchObject({ code: 0 })
    const later = parsed(await tenon(['tasks', url, 'get', stdout.trim(), '--json']))
    expect(later).toMatchObject({ result: { status: 'cancelled' } })
    expect(await tenon(['tasks', url, 'cancle', 'x'])).toMatchObject({
      code: 2,
      stderr: 'error: Unknown action "cancle"\nhint: Did you mean cancel?\n',
    })
  })
})

describe('messages', () => {
  test('--verbose shows what travels, without secrets and control characters', async () => {
    const args = ['call', 'echo', 'message=Bearer abcdef0123456789abcdef\u001b[2J', '-v', '--revision', '2025-06-18']
    const { stdout, stderr, code } = await tenon([...args, ...everything])
    expect(code).toBe(0)
    expect(stdout).toContain('abcdef')
    expect(stderr).not.toContain('abcdef0123')
    expect(stderr).not.toContain('\u001b')
    const kinds = stderr
      .split('\n')
      .filter((line) => /^[→←]/.test(line))
      .map((line) => line.replace(/ \d+ ms|\{.*/g, ''))
    expect(kinds.join('\n')).toMatchInlineSnapshot(`
      "→ initialize #1
      ← result #1 initialize,
      → notifications/initialized
      → tools/list #2
      ← result #2 tools/list,
      → tools/call #3
      ← result #3 tools/call,"
    `)
  })

  test('--verbose shows the exception behind an id, of a server without onError', async () => {
    const server = ['--', process.execPath, fileURLToPath(new URL('fixtures/throws.mjs', import.meta.url))]
    const { stdout, stderr } = await tenon(['call', 'boom', '-v', ...server])
    const id = /Internal error \(id (\w{8})\)/.exec(stdout)?.[1]
    expect(stderr).toContain(`│ files: tool boom failed (id ${id})\n│   Error: the disk is full\n│       at `)
    expect(stderr).toContain('error: the tool returned an error')
  })

  test("--verbose shows the server's own words and the HTTP requests", async () => {
    const { stderr } = await tenon(['call', 'crash', '-v', ...everything])
    expect(stderr).toMatch(/^│ everything: tool crash failed/m)
    const http = await tenon(['ping', url, '-v'])
    expect(http.stderr).toMatch(/^ {2}HTTP 200 POST http:\/\/127\.0\.0\.1:\d+\/mcp$/m)
  })

  test('--log-level shows the logs beside the result', async () => {
    expect(
      await tenon(['call', 'count_primes', 'below=10', '--log-level', 'info', ...everything]),
    ).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "info primes {"event":"started","below":10}
      info primes {"event":"finished","primes":4}
      ",
        "stdout": "{
        "primes": 4
      }
      ",
      }
    `)
  })
})

describe('media', () => {
  const draw = ['call', 'draw_chart', 'values=3', 'values=5']

  test('nothing is overwritten', async () => {
    const cwd = temporaryFolder()
    writeFileSync(join(cwd, 'draw_chart.png'), 'mine')
    expect((await onEverything([...draw, '--save', '.'], { cwd })).stderr).toContain('saved as draw_chart-2.png')
    expect(readFileSync(join(cwd, 'draw_chart.png'), 'utf8')).toBe('mine')
    await onEverything(['read', 'guide:///logo.png', '-o', 'logo.png'], { cwd })
    expect(readFileSync(join(cwd, 'logo.png')).subarray(1, 4).toString()).toBe('PNG')
    expect(readdirSync(cwd).sort()).toEqual(['draw_chart-2.png', 'draw_chart.png', 'logo.png'])
  })

  test.each([
    ['kitty', { TERM: 'xterm-kitty' }, '\u001b_Gf=100,a=T,m='],
    ['iTerm2', { TERM_PROGRAM: 'iTerm.app' }, '\u001b]1337;File=inline=1;'],
  ])('%s shows images itself', async (_name, env, sequence) => {
    const cwd = temporaryFolder()
    const { shown } = await onTerminal([...draw, ...everything], { cwd, env })
    expect(shown).toContain(sequence)
    expect(readdirSync(cwd)).toEqual([])
    expect(bare(shown)).toMatch(/\[image\/png, [\d.]+ k?B\]/)
  })
})
