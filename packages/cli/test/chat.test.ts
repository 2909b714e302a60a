import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { begin, everything, temporaryFolder, tenon } from './tenon.ts'

const rain = ['chat', '--demo', '--once', 'Will it rain in Bergen?']
const lines = (stdout: string): { [member: string]: unknown }[] =>
  stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

/** A file with rules of a scripted model. */
function script(rules: object[], cwd: string): string {
  writeFileSync(join(cwd, 'script.json'), JSON.stringify({ rules }))
  return 'scripted:script.json'
}

describe('one question', () => {
  test('the answer is on stdout, the calls are notes on stderr', async () => {
    const { stdout, stderr, code } = await tenon(rain)
    expect({ stdout, code }).toEqual({
      code: 0,
      stdout: '**Yes**: take an umbrella along.\n',
    })
    expect(stderr).toBe(`I look at the forecast.
● weather.forecast city="Bergen"
  ✓ weather.forecast
  │ Bergen: rain from the afternoon on, 11 °C, 7.5 mm of rain.
  │ weather://bergen/hours  bergen-hours
`)
    expect(await tenon([...rain, '--quiet'])).toEqual({ stdout, stderr: '', code })
  })

  test('--json prints one event per line, and the envelope last', async () => {
    const { stdout, stderr, code } = await tenon([...rain, '--json'])
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
    const all = lines(stdout)
    const kinds = all.map(({ event }) => event).filter((event) => event !== 'text')
    expect(kinds).toEqual(['tool-call', 'tool-result', 'step-end', 'step-end', undefined])
    expect(all.find(({ event }) => event === 'tool-call')).toMatchObject({
      name: 'weather__forecast',
      server: 'weather',
      arguments: { city: 'Bergen' },
    })
    expect(all.at(-1)).toMatchObject({
      ok: true,
      command: 'chat',
      result: { reason: 'answered', steps: 2, text: expect.stringContaining('**Yes**'), id: expect.any(String) },
    })
  })

  test('money is counted where a price is known, and limited', async () => {
    const priced = await tenon([...rain, '--json', '--price', '1000000/2000000'])
    const { usage, cost } = lines(priced.stdout).at(-1)!.result as {
      usage: { inputTokens: number; outputTokens: number }
      cost: number
    }
    expect(cost).toBeCloseTo(usage.inputTokens + 2 * usage.outputTokens)
    expect(
      JSON.parse((await tenon([...rain, '--json', '--quiet'])).stdout.trim().split('\n').at(-1)!),
    ).not.toHaveProperty('result.cost')
    const limited = await tenon([...rain, '--price', '1000000/2000000', '--max-cost', '1'])
    expect(limited).toMatchObject({ code: 9, stderr: expect.stringContaining('--max-cost raises it') })
  })

  test('standard input is added to the question, or is the question', async () => {
    const added = await tenon(['chat', '--demo', '--allow', '*', '--once', 'Count the words of:'], {
      stdin: 'one two three\n',
    })
    expect(added.stdout).toMatch(/"words":\s*3/)
    const alone = await tenon(['chat', '--demo'], { stdin: 'Will it rain in Lisbon?' })
    expect(alone).toMatchObject({ code: 0, stdout: expect.stringContaining('**No**') })
  })

  test('a call that nobody can be asked about is refused, and the model is told', async () => {
    const count = ['chat', '--demo', '--once', 'Count the words of: a b']
    const refused = await tenon(count)
    expect(refused).toMatchObject({ code: 0, stdout: expect.stringContaining('I could not count them') })
    expect(refused.stderr).toContain(
      'everything.text_statistics is not called: there is nobody to ask. --allow everything.text_statistics allows it, --yes everything.',
    )
    expect((await tenon([...count, '--yes'])).stdout).toMatch(/"words":\s*2/)
    expect((await tenon([...count, '--allow', 'everything.text_*'])).stdout).toMatch(/"words":\s*2/)
    const denied = await tenon([...count, '--yes', '--deny', 'everything.*'])
    expect(denied.stdout).toContain('I could not count them')
  })

  test('--elicit answers the form of a tool', async () => {
    const remind = ['chat', '--demo', '--yes', '--once', 'Remind me of the umbrella in Bergen']
    const { stdout } = await tenon([...remind, '--elicit', '{"time": "18:00", "note": "blue one"}'])
    expect(stdout).toBe('Done: **A reminder for Bergen at 18:00: blue one**.\n')
    const declined = await tenon(remind)
    expect(declined.stdout).toContain('Then I will not remind you.')
    expect(declined.stderr).toContain('weather asks: When shall I remind you')
  })

  test('a program after --, a limit of steps, and what is said about it', async () => {
    const cwd = temporaryFolder()
    const model = script([{ calls: [{ name: 'everything__add', arguments: { a: 1, b: 2 } }] }], cwd)
    const limited = ['chat', '--model', model, '--yes', '--max-steps', '2', '--once', 'add']
    const outcome = await tenon([...limited, '--json', ...everything], { cwd })
    expect(outcome.code).toBe(9)
    expect(lines(outcome.stdout).at(-1)).toMatchObject({
      ok: false,
      result: { reason: 'steps' },
      error: { code: 'limit_steps', exitCode: 9 },
    })
    const told = await tenon([...limited, ...everything], { cwd })
    expect(told.stderr).toContain('error: The limit of steps was reached before the answer; --max-steps raises it')
  })

  test('failures of the model have exit codes', async () => {
    const cwd = temporaryFolder()
    const model = script([{ error: { status: 401, message: 'no' } }], cwd)
    const refused = await tenon(['chat', 'everything', '--model', model, '--once', 'x', '--json'], { cwd })
    expect(refused.code).toBe(4)
    expect(lines(refused.stdout).at(-1)).toMatchObject({ ok: false, command: 'chat', error: { code: 'unauthorized' } })
    const keyless = await tenon(['chat', 'everything', '--model', 'anthropic/claude', '--once', 'x'])
    expect(keyless).toMatchObject({ code: 4, stderr: expect.stringContaining('ANTHROPIC_API_KEY') })
    const none = await tenon(['chat', 'everything', '--once', 'x'])
    expect(none.code).toBe(2)
    for (const way of ['--model', 'TENON_MODEL', 'ollama/', '--demo']) expect(none.stderr).toContain(way)
    const unknown = await tenon(['chat', 'evrything', '--model', model, '--once', 'x'], { cwd })
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('Did you mean everything?') })
    const gone = await tenon(['chat', '--model', model, '--once', 'x', '--', join(cwd, 'no-such-program')], { cwd })
    expect(gone.code).toBe(3)
  })

  test('Ctrl-C ends it with 130', async () => {
    const cwd = temporaryFolder()
    const call = { name: 'everything__count_down', arguments: { from: 100, intervalMs: 1000 } }
    const model = script([{ calls: [call] }], cwd)
    const running = begin(['chat', '--model', model, '--yes', '--once', 'x', '--json', ...everything], { cwd })
    running.stdin.end()
    await vi.waitFor(() => expect(running.stdout()).toContain('"tool-progress"'), { timeout: 100_000 })
    running.interrupt()
    expect(await running.ended).toBe(130)
    expect(lines(running.stdout()).at(-1)).toMatchObject({ ok: false, error: { code: 'interrupted' } })
  })

  test('all configured servers that can start are used, and decisions are noted', async () => {
    const cwd = temporaryFolder()
    const [, command, ...args] = everything
    const servers = {
      mine: { command, args },
      keyless: { command, args, env: { KEY: `\${NO_SUCH_VARIABLE}` } },
    }
    writeFileSync(join(cwd, '.mcp.json'), JSON.stringify({ mcpServers: servers }))
    const call = { name: 'mine__add', arguments: { a: 19, b: 23 } }
    const model = script([{ after: 'mine__add', text: '{result}' }, { calls: [call] }], cwd)
    const asked = ['chat', '--model', model, '--yes', '--audit', 'audit.jsonl', '--once', 'x']
    const { stdout, stderr, code } = await tenon(asked, { cwd })
    expect({ stdout, code }).toEqual({ stdout: '{"sum":42}\n', code: 0 })
    expect(stderr).toContain('left out: keyless: ')
    expect(stderr).toContain('Using mine.')
    const audit = readFileSync(join(cwd, 'audit.jsonl'), 'utf8')
    expect(audit).toContain('"add"')
    // The server is approved from now on; without --yes only the call is refused.
    const again = await tenon(['chat', '--model', model, '--once', 'x'], { cwd })
    expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining('mine.add is not called') })
  })

  test('options that would do nothing are refused', async () => {
    for (const [words, said] of [
      [['--demo', '--yes'], 'There is no terminal to chat on'],
      [['--demo', 'everything', '--once', 'x'], '--demo has its own servers'],
      [['--demo', '--model', 'ollama/x', '--once', 'x'], '--demo has its own model'],
      [['--demo', '--once', ' '], '--once: expected a question'],
      [['--model', 'ollama/x', 'everything', '--env', 'A=b', '--once', 'x'], '--env and --cwd are for the program'],
      [['--model', 'ollama/x', 'everything', '--header', 'a: b', '--once', 'x'], '--header is for URLs'],
      [['--demo', '--price', 'much', '--once', 'x'], '--price: expected read/written for a million tokens'],
      [['--demo', '--max-cost', '1', '--once', 'x'], '--max-cost needs a --price'],
      [['--demo', '--input', 'a=b', '--once', 'x'], '--input is for servers of config files'],
      [['--export', 'chat.txt'], 'There is no conversation'],
    ] as const) {
      const outcome = await tenon(['chat', ...words])
      expect(outcome).toMatchObject({ code: 2, stderr: expect.stringContaining(said) })
    }
  })
})

describe('conversations', () => {
  test('are saved for their owner alone, resumed and exported', async () => {
    const cwd = temporaryFolder()
    await tenon(rain, { cwd })
    const folder = join(cwd, '.config/tenon/chats')
    const [file] = readdirSync(folder)
    expect(statSync(join(folder, file!)).mode & 0o777).toBe(0o600)
    expect(statSync(folder).mode & 0o777).toBe(0o700)

    const more = ['chat', '--demo', '--resume', '--once', 'Hour by hour?', '--export', 'chat.md']
    const resumed = await tenon(more, { cwd })
    expect(resumed).toMatchObject({ code: 0, stdout: expect.stringContaining('15:00  2.1 mm') })
    expect(readdirSync(folder)).toEqual([file])
    const page = readFileSync(join(cwd, 'chat.md'), 'utf8')
    expect(page).toContain('## You\n\nWill it rain in Bergen?')
    expect(page).toContain('**Calls `weather__forecast`**\n\n```json\n{\n  "city": "Bergen"\n}\n```')
    expect(page).toContain('## You\n\nHour by hour?')

    expect(await tenon(['chat', '--export', 'chat.json'], { cwd })).toMatchObject({ code: 0 })
    const id = file!.replace('.jsonl', '')
    for (const name of [id, 'chat.json', join(folder, file!)]) {
      const again = await tenon(['chat', '--demo', `--resume=${name}`, '--once', 'Hour by hour?'], { cwd })
      expect(again.stdout, name).toContain('15:00  2.1 mm')
    }
    const missing = await tenon(['chat', '--demo', '--resume=nothing', '--once', 'x'], { cwd })
    expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining(id) })
  })

  test('--no-save leaves nothing behind', async () => {
    const cwd = temporaryFolder()
    await tenon([...rain, '--no-save'], { cwd })
    expect(readdirSync(cwd)).toEqual([])
  })
})
