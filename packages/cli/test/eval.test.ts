import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { begin, everything, parsed, temporaryFolder, tenon } from './tenon.ts'

const [, command, program] = everything

const cases = `tenonEvals: 1
servers:
  calculator: { command: ${JSON.stringify(command)}, args: [${JSON.stringify(program)}] }
models: ["scripted:good.json"]
consent: { allow: ["calculator.add"] }
cases:
  - name: adds
    prompt: How much are 19 and 23?
    expect:
      calls: [{ tool: calculator.add, arguments: { a: 19 } }]
      never: [calculator.echo]
      text: { matches: /\\b42\\b/ }
      maxSteps: 2
  - name: greets
    prompt: Hello
    expect: { text: Good day, calls: [] }
`
const add = { when: '(\\d+) and (\\d+)', calls: [{ name: 'calculator__add', input: '{"a":19,"b":23}' }] }
const good = { rules: [add, { after: 'calculator__add', text: 'It is {result}' }, { text: 'Good day' }] }
const poor = { rules: [{ when: 'How', text: 'Perhaps 41' }, { text: 'Good day' }] }

/** A folder with cases and two models, which is the home too. */
function prepare(): string {
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, 'cases.yaml'), cases)
  writeFileSync(join(cwd, 'good.json'), JSON.stringify(good))
  writeFileSync(join(cwd, 'poor.json'), JSON.stringify(poor))
  return cwd
}

// Every conversation starts a server of its own, which takes long on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const bare = (text: string): string => text.replace(/\d+ tokens, \d+ ms/g, '… tokens, … ms')

test('cases are tried with a server process and a scripted model', async () => {
  const { stdout, stderr, code } = await tenon(['eval', 'cases.yaml', '--runs', '2'], { cwd: prepare() })
  expect({ stdout: bare(stdout), stderr, code }).toMatchInlineSnapshot(`
    {
      "code": 0,
      "stderr": "",
      "stdout": "✓ adds scripted:good.json 2/2 … tokens, … ms
    ✓ greets scripted:good.json 2/2 … tokens, … ms

    2 passed
    ",
    }
  `)
})

test('a model that does otherwise fails, with the reasons, and is compared with the last run', async () => {
  const cwd = prepare()
  const both = ['eval', 'cases.yaml', '--model', 'scripted:good.json', '--model', 'scripted:poor.json']
  const first = await tenon([...both, '--junit', 'results.xml'], { cwd })
  expect({ stdout: bare(first.stdout), code: first.code }).toMatchInlineSnapshot(`
    {
      "code": 8,
      "stdout": "✓ adds scripted:good.json 1/1 … tokens, … ms
    ✗ adds scripted:poor.json 0/1 … tokens, … ms
        calls[0]: expected a call of calculator.add with {"a":19}, got no call cases.yaml:10:15
        text: expected a text that matches "/\\\\b42\\\\b/", got "Perhaps 41" cases.yaml:12:7
    ✓ greets scripted:good.json 1/1 … tokens, … ms
    ✓ greets scripted:poor.json 1/1 … tokens, … ms

    3 passed, 1 failed
    ",
    }
  `)
  expect(readFileSync(join(cwd, 'results.xml'), 'utf8')).toContain('tests="4" failures="1"')

  writeFileSync(join(cwd, 'good.json'), JSON.stringify(poor))
  writeFileSync(join(cwd, 'poor.json'), JSON.stringify(good))
  const second = await tenon([...both, '--filter', 'adds'], { cwd })
  expect(bare(second.stdout)).toMatch(/adds scripted:good.json 0\/1 \(worse: was 1\/1\)/)
  expect(bare(second.stdout)).toMatch(/adds scripted:poor.json 1\/1 \(better: was 0\/1\)/)

  const folder = join(cwd, '.config/tenon/evals')
  const [kept] = readdirSync(folder)
  if (process.platform !== 'win32') expect(statSync(join(folder, kept!)).mode & 0o777).toBe(0o600)
  // The case that was left out keeps its rate.
  expect(JSON.parse(readFileSync(join(folder, kept!), 'utf8')).cases).toHaveLength(4)
})

test('with --json the report is data, with which --compare compares', async () => {
  const cwd = prepare()
  const before = await tenon(['eval', 'cases.yaml', '--json', '--filter', 'adds'], { cwd })
  expect(parsed(before)).toMatchObject({
    ok: true,
    result: {
      file: 'cases.yaml',
      passed: 1,
      cases: [{ name: 'adds', rate: 1, runs: [{ steps: 2, calls: [{ tool: 'calculator.add', outcome: 'ok' }] }] }],
    },
  })
  writeFileSync(join(cwd, 'before.json'), before.stdout)
  writeFileSync(join(cwd, 'good.json'), JSON.stringify(poor))
  const line = ['eval', 'cases.yaml', '--json', '--filter', 'adds', '--compare', 'before.json']
  const after = await tenon(line, { cwd })
  expect(after.code).toBe(8)
  expect(parsed(after)).toMatchObject({ ok: false, result: { changes: [{ name: 'adds', change: 'worse' }] } })
})

test.each([
  [[], 'Expected a file of cases'],
  [['none.yaml'], 'There is no file none.yaml'],
  [['good.json'], 'good.json:1:'],
  [['cases.yaml', 'x'], 'Expected one file, got "x", too'],
  [['cases.yaml', '--filter', 'no such'], '--filter: no case has "no such" in its name'],
  [['cases.yaml', '--model', 'scripted:none.json'], 'cannot be read'],
  [['cases.yaml', '--model', 'anthropic/claude'], 'needs a key: set ANTHROPIC_API_KEY'],
  [['cases.yaml', '--model', 'nobody'], 'The model "nobody" is unknown'],
  [['cases.yaml', '--compare', 'none.json'], '--compare: there is no file none.json'],
  [['cases.yaml', '--compare', 'good.json'], '--compare: good.json: expected a report'],
  [['cases.yaml', '--runs', '0'], '--runs'],
])('%j is a mistake in the line', async (words, message) => {
  const cwd = prepare()
  const { code, stderr } = await tenon(['eval', ...words], { cwd })
  expect(stderr).toContain(message)
  expect(code).toBe(2)
  expect(existsSync(join(cwd, '.config/tenon/evals'))).toBe(false)
})

test('a file without servers uses those of the line', async () => {
  const cwd = prepare()
  const rest = 'consent: { allow: ["*.*"] }\ncases: [{ prompt: go, expect: { calls: [{ tool: add, outcome: ok }] } }]\n'
  writeFileSync(join(cwd, 'few.yaml'), `tenonEvals: 1\nmodels: ["scripted:m.json"]\n${rest}`)
  const model = (name: string): void =>
    writeFileSync(
      join(cwd, 'm.json'),
      JSON.stringify({ replies: [{ calls: [{ name, arguments: { a: 1, b: 2 } }] }, { text: 'ok' }] }),
    )
  expect(await tenon(['eval', 'few.yaml'], { cwd })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('The file names no server'),
  })
  model('server__add')
  expect(await tenon(['eval', 'few.yaml', ...everything], { cwd })).toMatchObject({ code: 0 })
  model('everything__add')
  expect(await tenon(['eval', 'few.yaml', '--server', 'everything'], { cwd })).toMatchObject({ code: 0 })
  writeFileSync(
    join(cwd, 'few.yaml'),
    `tenonEvals: 1\nservers: { sums: everything }\nmodels: ["scripted:m.json"]\n${rest}`,
  )
  model('sums__add')
  expect(await tenon(['eval', 'few.yaml'], { cwd })).toMatchObject({ code: 0 })
})

test('Ctrl-C ends it, and nothing is kept', async () => {
  const cwd = prepare()
  writeFileSync(
    join(cwd, 'cases.yaml'),
    cases.replace('cases:', 'runs: 1000\ncases:').replace('prompt:', 'runs: 1\n    prompt:'),
  )
  const running = begin(['eval', 'cases.yaml'], { cwd })
  await expect.poll(running.stdout).toContain('adds')
  running.interrupt()
  expect(await running.ended).toBe(130)
  expect(existsSync(join(cwd, '.config/tenon/evals'))).toBe(false)
})
