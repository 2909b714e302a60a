import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CommandFailure } from '../exit.ts'
import type { OptionTable } from './options.ts'
import { parseLine } from './parse.ts'

const table = {
  json: { type: 'flag', help: '' },
  quiet: { type: 'flag', short: 'q', help: '' },
  header: { type: 'list', short: 'H', value: 'name: value', help: '' },
  cwd: { type: 'text', value: 'folder', help: '' },
  timeout: { type: 'time', short: 't', help: '' },
  count: { type: 'number', value: 'number', min: 1, help: '' },
  shell: { type: 'choice', choices: ['bash', 'zsh'], help: '' },
} as const satisfies OptionTable

const read = (...argv: string[]): { [name: string]: unknown } => {
  const { options, words, command } = parseLine(argv, table)
  return { ...Object.fromEntries(options), words, ...(command && { command }) }
}

describe('a command line', () => {
  test('has options anywhere before --, and a program after it', () => {
    expect(read('--json', 'call', '-H', 'a: b', 'x=1', '--header=c: d', '--', 'node', '--json', 'a.js')).toEqual({
      json: true,
      header: ['a: b', 'c: d'],
      words: ['call', 'x=1'],
      command: ['node', '--json', 'a.js'],
    })
  })

  test('takes times and numbers', () => {
    expect(read('-t', '500ms', '--count', '3')).toEqual({ timeout: 500, count: 3, words: [] })
    expect(read('-t5m')).toEqual({ timeout: 300_000, words: [] })
    expect(read('--timeout=none')).toEqual({ timeout: Infinity, words: [] })
  })

  test('has words that only look like options', () => {
    expect(read('-', '-5', '-1.5')).toEqual({ words: ['-', '-5', '-1.5'] })
  })

  test.each([
    [['--jsn'], 'Unknown option --jsn'],
    [['-x'], 'Unknown option -x'],
    [['--cwd'], '--cwd: expected <folder>, got nothing'],
    [['--json=yes'], '--json takes no value, got "yes"'],
    [['--count', '0'], '--count: expected a number of at least 1, got "0"'],
    [['--count', ''], '--count: expected a number of at least 1, got ""'],
    [['--timeout', '-1s'], '--timeout: expected a time such as 500ms, 30s or 5m, got "-1s"'],
    [['--shell', 'bahs'], '--shell: expected one of bash, zsh, got "bahs"'],
    [['--__proto__', '1'], 'Unknown option --__proto__'],
    [['--constructor=1'], 'Unknown option --constructor'],
    [['call', '--'], 'Expected a command after --'],
  ])('%j is refused', (argv, message) => {
    expect(() => read(...argv)).toThrow(message)
  })

  test('is read or refused, whatever it is', () => {
    const word = fc.oneof(fc.string(), fc.constantFrom('--', '-', '--json', '-t', '--header', '--count=', '-H'))
    fc.assert(
      fc.property(fc.array(word), (argv) => {
        try {
          parseLine(argv, table)
        } catch (error) {
          expect(error).toBeInstanceOf(CommandFailure)
        }
      }),
    )
  })
})
