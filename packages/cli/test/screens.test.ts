/**
 * The main commands on a real terminal of 80 and of 120 columns, with and without colours, and in a pipe. Their own layout
 * fits the terminal. Messages on standard error are left to it, so that a command in them can be copied.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { widthOf } from '../src/terminal/width.ts'
import { bare } from './dialogue.ts'
import { bin, everything, everythingUrl, programOnTerminal, temporaryFolder } from './tenon.ts'

let url = ''
beforeAll(async () => {
  url = await everythingUrl()
})

// A URL is quick, and the screens of a program are the same.
const screens = (): string[][] => [
  ['help'],
  ['help', 'call'],
  ['help', 'chat'],
  ['servers'],
  ['list', '--all'],
  ['list', url],
  ['info', url],
  ['lint', url],
  ['doctor', url],
  ['call', url, 'describe_connection'],
  ['chat', '--demo', '--once', 'Will it rain in Bergen?'],
]

/** A home with servers whose names, arguments and descriptions are long. */
function home(): string {
  const cwd = temporaryFolder()
  const [, command, program] = everything
  const long = { command, args: [program, '--note', 'x'.repeat(150)], env: { API_KEY: 'k'.repeat(40) } }
  const mcpServers = { everything: { url }, 'a-server-with-a-name-that-takes-half-of-the-line': long }
  writeFileSync(join(cwd, '.mcp.json'), JSON.stringify({ mcpServers }))
  return cwd
}

interface Place {
  columns: number
  env?: NodeJS.ProcessEnv
  /** The end of each line, such as a pipe. */
  into?: string
}

/** The output of every screen: one shell runs all, with a mark between them. */
async function shownAt({ columns, env = {}, into = '' }: Place): Promise<Map<string, string>> {
  const quote = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`
  // The steps of a conversation are notes, and part of its screen.
  const notes = (words: string[]): string => (words[0] === 'chat' && into === '' ? '' : '2>/dev/null')
  const lines = screens().map((words) => `${[process.execPath, bin, ...words].map(quote).join(' ')} ${notes(words)}`)
  const script = lines.map((line) => `${line} ${into}; echo "@@@"`).join('\n')
  const { shown } = await programOnTerminal(['sh', '-c', script], { cwd: home(), columns, env })
  const parts = shown.split(/@@@\r?\n/)
  expect(parts).toHaveLength(lines.length + 1)
  return new Map(screens().map((words, index) => [words.join(' '), parts[index]!]))
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: terminal sequences
const colour = /\u001b\[[\d;]*m/

const linesOf = (shown: string): string[] => bare(shown).split(/\r?\n|\r/)

test.each([80, 120])('at %i columns every line fits, and there are colours', async (columns) => {
  for (const [line, shown] of await shownAt({ columns })) {
    expect(linesOf(shown).join('').length, line).toBeGreaterThan(20)
    expect(shown, line).toMatch(colour)
    expect(
      linesOf(shown).filter((one) => widthOf(one) > columns),
      line,
    ).toEqual([])
  }
})

test('with NO_COLOR and in a pipe there is no colour, and a pipe gets no other control character', async () => {
  for (const [line, shown] of await shownAt({ columns: 80, env: { NO_COLOR: '1' } })) {
    expect(shown, line).not.toMatch(colour)
    expect(
      linesOf(shown).filter((one) => widthOf(one) > 80),
      line,
    ).toEqual([])
  }
  for (const [line, shown] of await shownAt({ columns: 80, into: '| cat' })) {
    expect(linesOf(shown).join('').length, line).toBeGreaterThan(20)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: terminal sequences
    expect(shown, line).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/)
  }
})
