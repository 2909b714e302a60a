import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { everything, everythingUrl, onEverything, parsed, temporaryFolder, tenon } from './tenon.ts'
import { projectFolder, strictest, typeCheck, usual } from './type-check.ts'

const [, program, server] = everything

/** Uses of the generated module that compile, and uses that do not. */
const use = `import { connect } from '@tenon/sdk/client'
import { createClient, ToolFailure } from './everything.js'

await using client = await connect({ command: ${JSON.stringify(program)}, args: [${JSON.stringify(server)}] })
const { tools, prompts, templates } = createClient(client)
const { sum } = await tools.add({ a: 19, b: 23 })
const total: number = sum
console.log(total)
console.log((await tools.echo({ message: 'hello' })).text)
console.log(typeof (await tools.clockNow()).time)
console.log((await prompts.nameThatColor({ color: 'teal' })).messages.length > 0)
console.log((await templates.swatch({ color: 'teal', size: 2 })).contents[0]?.uri)
const failed: unknown = await tools.divide({ dividend: 1, divisor: 0 }).catch((error: unknown) => error)
if (failed instanceof ToolFailure) console.log(failed.tool, failed.message)

export const mistakes = (): unknown[] => [
  // @ts-expect-error: a tool that is not there
  tools.subtract({ a: 1, b: 2 }),
  // @ts-expect-error: an argument is missing
  tools.add({ a: 1 }),
  // @ts-expect-error: an argument is of another type
  tools.add({ a: 1, b: '2' }),
  // @ts-expect-error: a value that the tool does not know
  tools.showColor({ name: 'infrared' }),
  // @ts-expect-error: arguments of prompts are text
  prompts.convert({ quantity: 'length', from: 'm', to: 'km', value: 2 }),
  // @ts-expect-error: a variable is missing
  templates.swatch({ size: 2 }),
]
`

test('the module of a server type-checks in every project, and does what it says', async () => {
  const folder = projectFolder()
  expect(await onEverything(['types', '-o', 'everything.ts'], { cwd: folder })).toEqual({
    code: 0,
    stdout: '',
    stderr: 'everything.ts written\n',
  })
  for (const flags of [strictest, usual]) expect(await typeCheck(folder, { 'use.ts': use }, flags)).toBe('')
  const tsx = fileURLToPath(import.meta.resolve('tsx'))
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', tsx, join(folder, 'use.ts')])
  expect(stdout).toMatchInlineSnapshot(`
    "42
    hello
    string
    true
    swatch:///teal?size=2
    divide The divisor is 0: give another one
    "
  `)
})

test('--check fails when the file is missing or another one, and names what to do', async () => {
  const cwd = temporaryFolder()
  const output = ['--output', 'generated/server.ts']
  const check = ['types', ...output, '--check', ...everything]
  expect(await tenon(check, { cwd })).toMatchInlineSnapshot(`
    {
      "code": 8,
      "stderr": "error: generated/server.ts is missing
    hint: Run the same command without --check to write it.
    ",
      "stdout": "",
    }
  `)
  await onEverything(['types', ...output], { cwd })
  expect(await tenon(check, { cwd })).toMatchObject({ code: 0, stderr: 'generated/server.ts is up to date\n' })
  const file = join(cwd, 'generated/server.ts')
  writeFileSync(file, readFileSync(file, 'utf8').replace('sum: number', 'sum: string'))
  expect(parsed(await onEverything([...check.slice(0, 4), '--json'], { cwd }))).toMatchObject({
    ok: false,
    error: { code: 'outdated', exitCode: 8 },
  })
  expect(await onEverything(['types', ...output], { cwd })).toMatchObject({
    stderr: 'generated/server.ts written again\n',
  })
})

test('a file that somebody else wrote is not replaced', async () => {
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, 'mine.ts'), 'export const mine = 1\n')
  expect(await onEverything(['types', '-o', 'mine.ts'], { cwd })).toMatchInlineSnapshot(`
    {
      "code": 2,
      "stderr": "error: mine.ts is there and was not written by this command
    hint: Give another file, or --force to replace it.
    ",
      "stdout": "",
    }
  `)
  expect(await onEverything(['types', '-o', 'mine.ts', '--force'], { cwd })).toMatchObject({ code: 0 })
})

test('without a file the module goes to standard output', async () => {
  const { stdout } = await onEverything(['types'])
  expect(stdout).toMatch(/^\/\*\* Types and a client for the server `everything`/)
  expect(stdout).toContain('export type AddInput = {\n  a: number\n  b: number\n}\n')
})

test('a generated program has a command for each tool', { timeout: 100_000 }, async () => {
  // In the repository, because the program imports the library.
  const cwd = mkdtempSync(fileURLToPath(new URL('../.test-program-', import.meta.url)))
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }))
  const generate = ['generate', 'cli', await everythingUrl(), '-o', 'calculator.mjs']
  expect(await tenon(generate, { cwd })).toMatchObject({ code: 0, stderr: 'calculator.mjs written: 25 commands\n' })
  expect(await tenon([...generate, '--check'], { cwd })).toMatchObject({ code: 0 })
  const runProgram = async (...words: string[]) => {
    const child = spawn(process.execPath, ['calculator.mjs', ...words], { cwd })
    const printed = { stdout: '', stderr: '' }
    for (const stream of ['stdout', 'stderr'] as const) {
      child[stream].setEncoding('utf8').on('data', (text: string) => {
        printed[stream] += text
      })
    }
    const [code] = await once(child, 'close')
    return { ...printed, code }
  }
  const [sum, broken, wrong, help] = await Promise.all([
    runProgram('add', '--a', '19', '--b=23'),
    runProgram('divide', '--args', '{"dividend": 1, "divisor": 0}'),
    runProgram('add', '--a', 'one'),
    runProgram('draw-chart', '--help'),
  ])
  expect(sum).toEqual({ code: 0, stdout: '{\n  "sum": 42\n}\n', stderr: '' })
  expect(broken).toMatchObject({ code: 5, stdout: 'The divisor is 0: give another one\n' })
  expect(wrong).toEqual({ code: 2, stdout: '', stderr: 'error: --a: expected a number, got one\n' })
  expect(help.stdout).toMatch(/--values <number> .*\(required, repeatable\)/)
  // Somebody's own file is kept.
  writeFileSync(join(cwd, 'calculator.mjs'), 'mine')
  expect(await tenon(generate, { cwd })).toMatchObject({ code: 2 })
  expect(await tenon([...generate, '--check'], { cwd })).toMatchObject({ code: 8 })
})
