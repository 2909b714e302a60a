/** The command as agents and scripts see it: help as data, a skill, exit codes in one table, errors with a hint. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { commandNames, loadCommand } from '../src/commands.ts'
import { ExitCode, exitCodes } from '../src/exit.ts'
import { bin, cleanEnv, everything, parsed, temporaryFolder, tenon, tenonProcess } from './tenon.ts'

describe('help --json', () => {
  interface Described {
    name: string
    usage: string[]
    options: { option: string; short?: string; type: string; choices?: string[]; repeatable?: boolean }[]
    examples: { line: string }[]
  }

  test('has every command with its options and examples, and the exit codes', async () => {
    const outcome = await tenonProcess(['help', '--json'])
    expect(outcome).toMatchObject({ code: 0, stderr: '' })
    const { ok, result } = parsed(outcome) as { ok: boolean; result: { commands: Described[]; exitCodes: object[] } }
    expect(ok).toBe(true)
    expect(result.commands.map(({ name }) => name)).toEqual(commandNames())
    for (const { name, usage, options, examples } of result.commands) {
      const command = (await loadCommand(name))!
      expect(options.map(({ option }) => option)).toEqual(Object.keys(command.options).map((one) => `--${one}`))
      expect(usage.length).toBeGreaterThan(0)
      expect(examples.length).toBeGreaterThan(0)
    }
    expect(result.exitCodes).toHaveLength(Object.keys(ExitCode).length)
  })

  test.each([
    ['help', 'call'],
    ['call', '--help'],
    ['--help', 'call'],
  ])('%s %s --json is one command', async (...line) => {
    const outcome = await tenon([...line, '--json'])
    const { result } = parsed(outcome) as { result: Described }
    expect(result).toMatchObject({
      name: 'call',
      usage: expect.arrayContaining(['tenon call <target> <tool> [argument…]']),
    })
    expect(result.options).toContainEqual(
      expect.objectContaining({ option: '--output', short: '-o', choices: ['text', 'structured', 'json', 'raw'] }),
    )
    expect(result.options).toContainEqual(expect.objectContaining({ option: '--env', repeatable: true, type: 'text' }))
  })

  test('of an unknown command is an error with a hint', async () => {
    const outcome = await tenon(['help', 'cal', '--json'])
    expect(outcome.code).toBe(2)
    expect(parsed(outcome)).toMatchObject({ ok: false, error: { hint: 'Did you mean call?', exitCode: 2 } })
  })
})

test('no line of the help is longer than 80 columns in a file or a pipe', async () => {
  for (const name of [undefined, ...commandNames()]) {
    const { stdout } = await tenon(name === undefined ? [] : ['help', name])
    expect(stdout.split('\n').filter((line) => line.length > 80 && !line.startsWith('  tenon '))).toEqual([])
  }
})

describe('the exit codes', () => {
  test('are in one table, which the docs and the skill have too', async () => {
    expect(exitCodes.map(({ code }) => code)).toEqual(Object.values(ExitCode))
    const page = readFileSync(fileURLToPath(new URL('../../../docs/cli/README.md', import.meta.url)), 'utf8')
    const { stdout } = await tenon(['skill'])
    for (const { code, meaning } of exitCodes) {
      expect(page).toContain(`| ${code} | ${meaning} |`)
      expect(stdout).toContain(`| ${code} | ${meaning} |`)
    }
  })
})

test.each([
  ['a tool that fails', ['call', 'divide', 'dividend=1', 'divisor=0', ...everything], 5],
  ['an error of the server', ['complete', 'introduce', 'x=1', ...everything], 6],
  ['a program that ends', ['info', '--', process.execPath, '-e', ''], 3],
  ['a wrong option', ['info', '--nothing'], 2],
])('with --json, %s is an error with a hint', async (_name, line, code) => {
  const [command, ...rest] = line
  const outcome = await tenon([command!, '--json', ...rest])
  expect(outcome.code).toBe(code)
  expect(parsed(outcome)).toMatchObject({
    ok: false,
    error: { exitCode: code, hint: expect.stringMatching(/\w+.*\.$/s) },
  })
})

describe('the skill', () => {
  test('begins as a skill file does, and names every command', async () => {
    const { stdout, code } = await tenonProcess(['skill'])
    expect(code).toBe(0)
    const [, front, body] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(stdout)!
    const { name, description } = parse(front!) as { name: string; description: string }
    expect(name).toMatch(/^[a-z0-9-]{1,64}$/)
    expect(description.length).toBeLessThanOrEqual(1024)
    for (const command of commandNames()) expect(body).toContain(`\`${command}\``)
  })

  test('has commands that work as they stand', { timeout: 120_000 }, async () => {
    const { stdout } = await tenon(['skill'])
    const lines = /```sh\n([\s\S]*?)```/.exec(stdout)![1]!.trim().split('\n')
    expect(lines.length).toBeGreaterThan(5)
    const cwd = temporaryFolder()
    for (const line of lines) {
      const script = `tenon() { '${process.execPath}' '${bin}' "$@"; }\n${line}`
      const child = spawn('bash', ['-c', script], { cwd, env: cleanEnv(cwd), stdio: ['ignore', 'ignore', 'inherit'] })
      const [code] = await once(child, 'close')
      expect(code, line).toBe(0)
    }
  })
})
