import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { bin, everything, everythingUrl, onEverything, onTerminal, parsed, tenon, tenonProcess } from './tenon.ts'

describe('call', () => {
  test('arguments are typed by the schema of the tool', async () => {
    expect(await onEverything(['call', 'add', 'a=19', 'b=23'])).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "",
        "stdout": "{
        "sum": 42
      }
      ",
      }
    `)
  })

  test('options may stand anywhere before the program', async () => {
    const outcome = await onEverything(['call', '--json', 'add', '--revision', '2025-06-18', 'a=1', 'b=2'])
    expect(parsed(outcome)).toMatchObject({
      ok: true,
      server: { revision: '2025-06-18' },
      result: { structured: { sum: 3 } },
    })
  })

  test('arguments come from standard input', async () => {
    const outcome = await tenonProcess(['call', 'add', '-', '--json', ...everything], { stdin: '{"a": 1, "b": 2}' })
    expect(parsed(outcome)).toMatchObject({ ok: true, result: { structured: { sum: 3 } } })
  })

  test('a wrong argument is refused before it is sent, with its path', async () => {
    const { stderr, ...others } = await onEverything(['call', 'add', 'a=one', 'b=2'])
    expect({ ...others, stderr: stderr.replace(await everythingUrl(), 'URL') }).toMatchInlineSnapshot(`
      {
        "code": 2,
        "stderr": "error: arguments.a: expected number, got string
      hint: \`tenon list URL --tool add\` shows what it takes; --no-check sends the arguments as they are.
      ",
        "stdout": "",
      }
    `)
  })

  test('a typo in a tool or an argument gets the nearest name', async () => {
    expect(await onEverything(['call', 'ad'])).toMatchInlineSnapshot(`
      {
        "code": 2,
        "stderr": "error: The server has no tool named "ad"
      hint: Did you mean add?
      ",
        "stdout": "",
      }
    `)
    expect(await onEverything(['call', 'divide', 'divident=1', 'divisor=2'])).toMatchInlineSnapshot(`
      {
        "code": 2,
        "stderr": "error: The tool has no argument "divident"
      hint: Did you mean dividend?
      ",
        "stdout": "",
      }
    `)
  })

  test('a tool that fails is told apart from a call that fails', async () => {
    expect(await onEverything(['call', 'divide', 'dividend=1', 'divisor=0'])).toMatchInlineSnapshot(`
      {
        "code": 5,
        "stderr": "error: the tool returned an error
      ",
        "stdout": "The divisor is 0: give another one
      ",
      }
    `)
    const outcome = await onEverything(['call', 'divide', 'dividend=1', 'divisor=0', '--json'])
    expect(parsed(outcome)).toMatchObject({
      ok: false,
      error: { code: 'tool_error', exitCode: 5 },
      result: { isError: true },
    })
  })
})

test('the program has the exit code of its command, and ends quietly when nobody reads on', async () => {
  expect(await tenonProcess(['cal'])).toEqual(await tenon(['cal']))
  const line = `'${process.execPath}' '${bin}' help | head -1; echo "\${PIPESTATUS[*]}"`
  const { stdout, stderr } = await promisify(execFile)('bash', ['-c', line])
  expect({ stdout, stderr }).toEqual({ stdout: expect.stringMatching(/^tenon: .*\n0 0\n$/), stderr: '' })
})

test('a wrong command line says what was expected', async () => {
  expect(await tenon(['cal'])).toMatchInlineSnapshot(`
    {
      "code": 2,
      "stderr": "error: Unknown command "cal"
    hint: Did you mean call?
    ",
      "stdout": "",
    }
  `)
  expect(await onEverything(['call', '--timeout', 'soon', 'x'])).toMatchInlineSnapshot(`
    {
      "code": 2,
      "stderr": "error: --timeout: expected a time such as 500ms, 30s or 5m, got "soon"
    ",
      "stdout": "",
    }
  `)
  expect(await tenon(['call', '--revison', '2025-06-18'])).toMatchInlineSnapshot(`
    {
      "code": 2,
      "stderr": "error: Unknown option --revison
    hint: Did you mean --revision?
    ",
      "stdout": "",
    }
  `)
  expect(await tenon(['info'])).toMatchInlineSnapshot(`
    {
      "code": 2,
      "stderr": "error: Expected a target: a URL, the name of a configured server, or a program after --
    hint: See --help for examples.
    ",
      "stdout": "",
    }
  `)
  expect(await tenon(['info', '--'])).toMatchInlineSnapshot(`
    {
      "code": 2,
      "stderr": "error: Expected a command after --
    hint: For example: -- node server.js
    ",
      "stdout": "",
    }
  `)
})

test('a program that cannot be started, and one that is no server, are unreachable', async () => {
  expect(await tenon(['info', '--', 'no-such-program'])).toMatchInlineSnapshot(`
    {
      "code": 3,
      "stderr": "error: Cannot start server 'no-such-program': the program 'no-such-program' was not found; install it, or give its full path (PATH is looked through)
    hint: The words after -- are a program and its arguments, started without a shell.
    ",
      "stdout": "",
    }
  `)
  expect(await tenon(['info', '--', process.execPath, '-e', 'console.error("boom"); process.exit(3)'])).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('boom'),
  })
})

test('a terminal shows control characters instead of obeying them', async () => {
  const { shown, code } = await onTerminal(['call', 'echo', 'message=\u001b]0;owned\u0007', ...everything])
  expect(code).toBe(0)
  expect(shown).toContain('␛]0;owned␇')
  expect(shown).not.toContain('\u001b]0;owned')
})

test('the help of every command has a usage and examples', async () => {
  const { stdout } = await tenon([])
  const names = [...stdout.matchAll(/^ {2}(\w+) {2,}\w/gm)].map(([, name]) => name!)
  expect(names).toContain('call')
  const helps = await Promise.all(names.map((name) => tenon([name, '--help'])))
  for (const help of helps) {
    expect(help).toMatchObject({ code: 0, stderr: '' })
    expect(help.stdout).toMatch(/\nUsage\n {2}tenon \w+[\s\S]*\nOptions\n[\s\S]*\nExamples\n {2}# /)
  }
})
