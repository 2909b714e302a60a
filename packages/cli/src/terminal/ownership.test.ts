/** Rules beyond types: which files may write to the streams, and which may trust a string for a terminal. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Output, type Streams } from './output.ts'
import { Terminal } from './terminal.ts'
import { say } from './text.ts'

const folder = join(import.meta.dirname, '..')
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !/\.(?:test|suite)\.ts$/.test(file),
)

const filesWith = (pattern: RegExp): string[] =>
  sources.filter((file) => pattern.test(readFileSync(join(folder, file), 'utf8'))).sort()

test('only the folder of the terminal, and what draws images, trusts a string', () => {
  expect(filesWith(/\.trust\(/)).toEqual([
    'show/inline-image.ts',
    'terminal/style.ts',
    'terminal/table.ts',
    'terminal/terminal.ts',
    'terminal/text.ts',
    'terminal/width.ts',
  ])
})

test('only the output and its parts write to the streams of the process', () => {
  expect(filesWith(/\bconsole\.|process\.std(?:out|err)|{[^}]*\bstd(?:out|err)\b[^}]*} = process/)).toEqual([
    'main.ts',
    'program.ts',
    'terminal/output.ts',
  ])
  expect(filesWith(/\bstd(?:out|err)[!?]?\.write\(|#stream\.write\(/)).toEqual([
    'main.ts',
    'program.ts',
    'terminal/activity.ts',
    'terminal/keyboard.ts',
    'terminal/output.ts',
  ])
})

/** A terminal whose streams are kept as text. */
function terminalOn(isTTY: boolean): { terminal: Terminal; written(): string } {
  let text = ''
  const stream = { isTTY, columns: 80, write: (chunk: string | Uint8Array) => (text += String(chunk)) }
  const streams = { stdin: {}, stdout: stream, stderr: stream } as unknown as Streams
  const surroundings = { stdin: streams.stdin, output: new Output(streams), env: {}, cwd: '/' }
  return { terminal: new Terminal(surroundings), written: () => text }
}

const evil = '\u001b[2J\u009b\u202e\u007f'

test('a string is not printed, unless it has become fit for a terminal', () => {
  const { terminal, written } = terminalOn(true)
  terminal.line(say`${evil}`)
  expect(written()).toBe('␛[2J⟨U+009B⟩⟨U+202E⟩␡\n')
  // Never called: the compiler refuses each of these lines.
  const refused = (): void => {
    // @ts-expect-error: a string may come from anybody
    terminal.line(evil)
    // @ts-expect-error: nor does a template make it fit
    terminal.note(`${say`a`}${evil}`)
    // @ts-expect-error: the streams belong to the output
    terminal.surroundings.output.stdout.write(evil)
  }
  expect(refused).toBeTypeOf('function')
})

test('content and JSON are as they are in a file, and visible on a terminal', () => {
  const file = terminalOn(false)
  file.terminal.content(evil)
  file.terminal.json({ evil })
  expect(file.written()).toBe(`${evil}\n${JSON.stringify({ evil })}\n`)
  const screen = terminalOn(true)
  screen.terminal.content(evil)
  screen.terminal.json({ evil })
  const [content, json] = screen.written().split('\n')
  expect(content).toBe('␛[2J⟨U+009B⟩⟨U+202E⟩␡')
  expect(json).toBe(String.raw`{"evil":"\u001b[2J\u009b\u202e\u007f"}`)
  expect(() => screen.terminal.bytes(Buffer.of(0x1b))).toThrow('found a terminal')
})
