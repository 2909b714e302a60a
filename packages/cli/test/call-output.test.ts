/** The result of a tool in files, pipes and terminals: one of text and structured content, and images where they are wanted. */
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { bare, dialogue } from './dialogue.ts'
import { bin, cleanEnv, everything, onEverything, onTerminal, parsed, temporaryFolder, tenon } from './tenon.ts'

const exec = promisify(execFile)
const quoted = (words: readonly string[]): string => words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ')

const files = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-filesystem/dist/index.js'))
const scripted = fileURLToPath(new URL('fixtures/scripted.mjs', import.meta.url))

/** A server whose tool `get` has this result. */
const answering = (result: object): string[] => {
  const answers = {
    'tools/list': { result: { tools: [{ name: 'get', inputSchema: { type: 'object' } }] } },
    'tools/call': { result },
  }
  return ['--', process.execPath, scripted, JSON.stringify({ capabilities: { tools: {} }, answers })]
}

const both = { content: [{ type: 'text', text: 'two words' }], structuredContent: { words: 2 }, _meta: { a: 1 } }

test('the text of a tool goes into a file as it is, whatever structured content repeats it', async () => {
  const cwd = realpathSync(temporaryFolder())
  for (const [name, text] of [
    ['ends.txt', 'Less is more.\n'],
    ['open.txt', 'Less\r\nis\u00a0more'],
  ] as const) {
    writeFileSync(join(cwd, name), text)
    const words = [bin, 'call', 'read_text_file', `path=${join(cwd, name)}`, '--output', 'text']
    const line = quoted([process.execPath, ...words, '--', process.execPath, files, cwd])
    await exec('bash', ['-c', `${line} > copy.txt`], { cwd, env: cleanEnv(cwd) })
    expect(readFileSync(join(cwd, 'copy.txt'), 'utf8')).toBe(text)
  }
  const byDefault = ['call', 'read_text_file', `path=${join(cwd, 'ends.txt')}`, '--', process.execPath, files, cwd]
  expect(await tenon(byDefault, { cwd })).toMatchObject({ code: 0, stdout: 'Less is more.\n' })
})

describe('--output', () => {
  test.each([
    [[], 'two words\n'],
    [['--output', 'text'], 'two words'],
    [['--output', 'structured'], '{\n  "words": 2\n}\n'],
    [
      ['-o', 'raw'],
      '{"content":[{"type":"text","text":"two words"}],"structuredContent":{"words":2},"_meta":{"a":1}}\n',
    ],
  ])('%j', async (options, stdout) => {
    expect(await tenon(['call', 'get', ...options, ...answering(both)])).toEqual({ code: 0, stdout, stderr: '' })
  })

  test('json is the result without an envelope', async () => {
    const outcome = await tenon(['call', 'get', '--output', 'json', ...answering(both)])
    const { content, structuredContent: structured, _meta: meta } = both
    expect(parsed(outcome)).toEqual({ content, structured, isError: false, meta })
  })

  test('structured content that is the only content is printed, and text that repeats it is not', async () => {
    const structuredContent = { words: 2 }
    const stdout = '{\n  "words": 2\n}\n'
    expect(await tenon(['call', 'get', ...answering({ content: [], structuredContent })])).toMatchObject({ stdout })
    const repeated = { content: [{ type: 'text', text: '{ "words": 2 }' }], structuredContent }
    expect(await tenon(['call', 'get', ...answering(repeated)])).toMatchObject({ stdout })
  })

  test('structured without structured content fails', async () => {
    const outcome = await tenon(['call', 'get', '-o', 'structured', ...answering({ content: both.content })])
    expect(outcome).toEqual({
      code: 8,
      stdout: '',
      stderr: 'error: The result has no structured content\nhint: --output text prints its text.\n',
    })
  })

  test('an error of the tool is one in every form', async () => {
    const failed = { content: [{ type: 'text', text: 'no' }], isError: true }
    for (const options of [[], ['-o', 'text'], ['-o', 'structured'], ['-o', 'json'], ['-o', 'raw']]) {
      expect(await tenon(['call', 'get', ...options, ...answering(failed)]), String(options)).toMatchObject({
        code: 5,
        stderr: expect.stringContaining('error: the tool returned an error'),
      })
    }
  })

  test('and --json are refused together, before a server is started', async () => {
    const outcome = await tenon(['call', 'get', '-o', 'raw', '--json', '--', 'no-such-program'])
    expect(outcome).toMatchObject({ code: 2, stderr: expect.stringContaining('contradict each other') })
  })
})

describe('images', () => {
  const draw = ['call', 'draw_chart', 'values=3', 'values=5']

  test('are not saved unasked, and do not spoil a pipe', async () => {
    const cwd = temporaryFolder()
    expect(await onEverything(draw, { cwd })).toEqual({
      code: 0,
      stdout: '2 teal bars, from left to right: 3, 5\n',
      stderr: '[image/png, 305 B; --save folder saves it]\n',
    })
    expect(readdirSync(cwd)).toEqual([])
  })

  test('are saved in a folder with --save, none replacing another', async () => {
    const cwd = temporaryFolder()
    const save = [...draw, '--save', 'pictures']
    expect((await onEverything(save, { cwd })).stderr).toContain('saved as pictures/draw_chart.png')
    expect((await onEverything(save, { cwd })).stderr).toContain('saved as pictures/draw_chart-2.png')
    expect(readFileSync(join(cwd, 'pictures/draw_chart.png')).subarray(1, 4).toString()).toBe('PNG')
  })

  test('are shown by a terminal that can, and only mentioned by others', async () => {
    const options = { env: { KITTY_WINDOW_ID: '1' } }
    const kitty = await onTerminal([...draw, ...everything], options)
    expect(kitty.shown).toContain('\u001b_Gf=100,a=T,')
    const other = await onTerminal([...draw, ...everything])
    expect(other.shown).not.toContain('\u001b_G')
    expect(bare(other.shown)).toContain('[image/png, 305 B; --save folder saves it]')
  })
})

describe('arguments', { timeout: 100_000 }, () => {
  test.each([
    ['everything.add 19 23', 42],
    ['everything add 19 23', 42],
    ['everything add b=23 19', 42],
    ['everything.add a=19 b=23', 42],
  ])('%s', async (line, sum) => {
    const outcome = await tenon(['call', ...line.split(' '), '--json'])
    expect(parsed(outcome)).toMatchObject({ ok: true, result: { structured: { sum } } })
  })

  test('a word with an equals sign in it can be a value', async () => {
    const url = 'https://example.com/?a=1'
    expect(await onEverything(['call', 'echo', url])).toMatchObject({ code: 0, stdout: `${url}\n` })
  })

  test('a value too many is refused with the names', async () => {
    expect(await tenon(['call', 'everything.add', '1', '2', '3'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('The tool takes a, b, and there is no place left for "3"'),
    })
  })

  test('a server with a dot in its name is found first', async () => {
    const cwd = temporaryFolder()
    const [, command, ...args] = everything
    const entry = { command, args }
    writeFileSync(join(cwd, '.mcp.json'), JSON.stringify({ mcpServers: { 'my.server': entry, my: { command: 'x' } } }))
    for (const line of ['my.server.add 1 2', 'my.server add 1 2']) {
      expect(await tenon(['call', ...line.split(' ')], { cwd }), line).toMatchObject({ code: 0, stderr: '' })
    }
    expect(await tenon(['call', 'nobody.add', '1'], { cwd })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('No config file has a server named "nobody.add"'),
    })
  })

  test('that are required and missing are asked for on a terminal', async () => {
    const { shown, code } = await onTerminal(['call', 'everything.add', 'b=23'], {}, (terminal) =>
      dialogue(terminal, [
        [/add needs an argument[\s\S]*a \(number\): $/, 'nineteen\r'],
        [/a: expected number, got string[\s\S]*a \(number\): $/, '19\r'],
      ]),
    )
    expect(code).toBe(0)
    expect(bare(shown)).toContain('"sum": 42')
  })

  test('that are left with Ctrl-D are missing as in a script', async () => {
    const { shown, code } = await onTerminal(['call', 'everything.add'], {}, (terminal) =>
      dialogue(terminal, [
        [/add needs 2 arguments[\s\S]*a \(number\): $/, '1\r'],
        [/b \(number\): $/, '\u0004'],
      ]),
    )
    expect(code).toBe(2)
    expect(bare(shown)).toContain('error: arguments.b: is required')
    expect(await tenon(['call', 'everything.add', '1'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('arguments.b: is required'),
    })
  })
})
