import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { bare, dialogue } from './dialogue.ts'
import { everything, onEverything, onTerminal, temporaryFolder, tenon } from './tenon.ts'

describe('a script', () => {
  test('lines are commands or tools, on one connection', async () => {
    const stdin = `# a comment
      write_note title=one text=first
      call add '{"a": 1, "b": 2}'
      add {
        "a": 3,
        "b": 4
      }
      describe_connection --json
      quit
      add a=1 b=1`
    const { stdout, stderr, code } = await tenon(['repl', ...everything], { stdin })
    // A busy machine starts a program slowly, which is said.
    expect({ stderr: stderr.replace(/^Starting .*\n/, ''), code }).toEqual({ stderr: '', code: 0 })
    const lines = stdout.trim().split('\n')
    expect(stdout).toContain('"sum": 3')
    expect(stdout).toContain('"sum": 7')
    expect(stdout).not.toContain('"sum": 2')
    const envelope = JSON.parse(lines.at(-1)!)
    expect(envelope).toMatchObject({ ok: true, command: 'call', server: { name: 'everything' } })
    expect(envelope.result.structured.operations['tools/call']).toBe(4)
  })

  test('the exit code is that of the first failure, and --strict ends there', async () => {
    const stdin = 'divide dividend=1 divisor=0\nad a=1\nadd a=1 b=1\n'
    expect(await onEverything(['repl'], { stdin })).toMatchInlineSnapshot(`
      {
        "code": 5,
        "stderr": "error: the tool returned an error
      error: "ad" is neither a command nor a tool
      hint: Did you mean add?
      ",
        "stdout": "The divisor is 0: give another one
      {
        "sum": 2
      }
      ",
      }
    `)
    const strict = await onEverything(['repl', '--strict'], { stdin })
    expect(strict).toMatchObject({ code: 5, stdout: 'The divisor is 0: give another one\n' })
  })

  test('standard input is not an argument of one of its own lines', async () => {
    const { code, stderr } = await onEverything(['repl'], { stdin: 'add -\necho message=@-\n' })
    expect(code).toBe(2)
    expect(stderr.match(/standard input has the commands here/g)).toHaveLength(2)
  })

  test('a server that dies takes no later line with it', async () => {
    const stdin = 'die\nadd a=1 b=1\n'
    const program = ['--', process.execPath, join(import.meta.dirname, 'fixtures/mortal.mjs')]
    const { code, stderr, stdout } = await tenon(['repl', ...program], { stdin })
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
    expect(stderr).toContain('The connection ended:')
    expect(stderr).toContain('error: There is no connection\nhint: Type reconnect for a new one.')
  })
})

describe('a session', () => {
  test('Tab completes commands, tools, arguments and values; the history stays private', async () => {
    const cwd = temporaryFolder()
    writeFileSync(join(cwd, 'notes-for-completion.md'), 'from a file')
    const { shown, code } = await onTerminal(['repl', ...everything], { cwd }, (terminal) =>
      dialogue(terminal, [
        ['everything> ', 'togg\t'],
        ['toggle_extras ', 'e\t'],
        ['enabled=', 't\t'],
        ['nabled=true ', '\r'],
        ['The tools have changed: +', ''],
        ['everything> ', 'echo message=@notes-for\t'],
        ['message=@notes-for-completion.md', '\r'],
        ['from a file', ''],
        ['everything> ', 'prompt convert quantity=mass from=k\t'],
        ['from=kg ', '\u0015'],
        ['everything> ', 'read guide:///w\t'],
        ['guide:///welcome ', '\u0015'],
        // A command of two lines.
        ['everything> ', 'add {"a": 20,\r'],
        ['… ', '"b": 22}\r'],
        ['"sum": 42', ''],
        ['everything> ', ' add a=100 b=1\r'],
        ['"sum": 101', ''],
        // The arrow brings the last line back, though the history file does not have it.
        ['everything> ', '\u001b[A\r'],
        ['"sum": 101', ''],
        ['everything> ', '\u0004'],
      ]),
    )
    expect(code).toBe(0)
    expect(bare(shown)).toContain('Connected to Everything')
    const file = join(cwd, '.config/tenon/history')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readFileSync(file, 'utf8')).toBe(
      'toggle_extras enabled=true \necho message=@notes-for-completion.md \nadd {"a": 20,⏎"b": 22}\n',
    )
  })

  test('news appear above the line that is being typed', async () => {
    const { shown } = await onTerminal(['repl', ...everything], {}, (terminal) =>
      dialogue(terminal, [
        ['everything> ', 'log debug\r'],
        ['Log messages are shown', ''],
        ['everything> ', 'count_primes below=1000\r'],
        ['started', ''],
        ['"primes": 168', ''],
        ['everything> ', 'quit\r'],
      ]),
    )
    expect(bare(shown)).toMatch(/● info primes \{"event":"started"/)
  })

  test('Ctrl-C cancels a call, empties a line, and leaves the session alone', async () => {
    const { shown, code } = await onTerminal(['repl', ...everything], {}, (terminal) =>
      dialogue(terminal, [
        ['everything> ', 'count_down from=100 intervalMs=1000\r'],
        ['left', '\u0003'],
        ['error: Cancelled', ''],
        ['everything> ', 'nonsense\u0003'],
        ['everything> ', 'add a=1 b=1\r'],
        ['"sum": 2', ''],
        ['everything> ', '\u0003'],
        ['Type quit', 'quit\r'],
      ]),
    )
    expect(code).toBe(0)
    expect(bare(shown)).not.toContain('neither a command')
  })

  test('a form of a tool is asked in between', async () => {
    const { shown } = await onTerminal(['repl', ...everything], {}, (terminal) =>
      dialogue(terminal, [
        ['everything> ', 'cook_dinner minutesMs=1\r'],
        ['spicy', '3\r'],
        ['Send this?', '\r'],
        ['hot main course', ''],
        ['everything> ', '\u0004'],
      ]),
    )
    expect(bare(shown)).toContain('Everything (cook_dinner) asks')
  })

  test('a new connection is offered when the server has died', async () => {
    const program = ['--', process.execPath, join(import.meta.dirname, 'fixtures/mortal.mjs')]
    const { shown } = await onTerminal(['repl', ...program], {}, (terminal) =>
      dialogue(terminal, [
        ['mortal> ', 'die\r'],
        ['The connection ended', ''],
        ['tenon> ', 'add a=1 b=1\r'],
        ['Connect again? (Y/n)', '\r'],
        ['"sum": 2', ''],
        ['mortal> ', '\u0004'],
      ]),
    )
    expect(shown).toContain('There is no connection')
  })
})
