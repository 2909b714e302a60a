// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how config files write inputs
/** Inputs and variables of config files: asked for on a terminal, given in scripts, and never sent as they are written. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { bare, dialogue } from './dialogue.ts'
import { onTerminal, parsed, temporaryFolder, tenon, tenonProcess } from './tenon.ts'

const fixture = fileURLToPath(new URL('fixtures/environment.mjs', import.meta.url))
const inputs = [
  { id: 'key', type: 'promptString', description: 'The key of the service', password: true },
  { id: 'region', type: 'pickString', options: ['eu', 'us'], default: 'eu' },
  { id: 'from-host', type: 'command', command: 'x' },
]
const program = { command: process.execPath, args: [fixture] }
const servers = {
  secret: { ...program, env: { API_KEY: '${input:key}', AGAIN: '${input:key}' } },
  region: { ...program, env: { REGION: '${input:region}' } },
  host: { ...program, env: { API_KEY: '${input:from-host}' } },
  unset: { ...program, env: { API_KEY: '${env:NOT_SET_ANYWHERE}' } },
}

function folderWith(extra: object = {}): string {
  const cwd = temporaryFolder()
  mkdirSync(join(cwd, '.vscode'))
  writeFileSync(join(cwd, '.vscode/mcp.json'), JSON.stringify({ inputs, servers: { ...servers, ...extra } }))
  return cwd
}

const wanted: { [server: string]: string } = { secret: 'API_KEY', region: 'REGION' }

const get = (server: string, name: string, ...options: string[]): string[] => [
  'call',
  server,
  'get',
  `name=${name}`,
  ...options,
]

describe('on a terminal', { timeout: 100_000 }, () => {
  test('a password is asked for once, hidden, and reaches the server', async () => {
    const { shown, code } = await onTerminal(get('secret', 'AGAIN'), { cwd: folderWith() }, (terminal) =>
      dialogue(terminal, [
        [/secret needs an input \(.*mcp\.json\)[\s\S]*The key of the service\s+key: $/, 's3cret\r'],
        [/Keep it for the next time, in .*\? \(y\/N\) $/, 'n\r'],
      ]),
    )
    expect(code).toBe(0)
    expect(bare(shown).match(/s3cret/g)).toEqual(['s3cret'])
    expect(
      bare(shown)
        .trim()
        .split(/[\r\n]/)
        .at(-1),
    ).toBe('s3cret')
  })

  test('an answer is kept if wanted, used without a question, and asked for again with --input', async () => {
    const cwd = folderWith()
    const ask = (key: string, keep: string, ...options: string[]): ReturnType<typeof onTerminal> =>
      onTerminal(get('secret', 'API_KEY', ...options), { cwd }, (terminal) =>
        dialogue(terminal, [
          [/key: $/, `${key}\r`],
          [/\(y\/N\) $/, `${keep}\r`],
        ]),
      )
    expect(await ask('one', 'y')).toMatchObject({ code: 0 })
    const kept = readFileSync(join(cwd, '.config/tenon/tokens.json'), 'utf8')
    expect(kept).toContain('one')
    expect(await tenonProcess(get('secret', 'API_KEY'), { cwd })).toMatchObject({ code: 0, stdout: 'one\n' })
    expect(await ask('two', 'n', '--input', 'key')).toMatchObject({ code: 0 })
    expect(await tenonProcess(get('secret', 'API_KEY'), { cwd })).toMatchObject({ code: 2 })
  })

  test('choices are shown, and Enter takes the default', async () => {
    const { shown, code } = await onTerminal(get('region', 'REGION'), { cwd: folderWith() }, (terminal) =>
      dialogue(terminal, [
        [/1 {2}eu[\s\S]*2 {2}us[\s\S]*region \[eu\]: $/, 'mars\r'],
        [/Choose from the list[\s\S]*region \[eu\]: $/, '2\r'],
        [/\(y\/N\) $/, '\r'],
      ]),
    )
    expect({
      code,
      last: bare(shown)
        .trim()
        .split(/[\r\n]/)
        .at(-1),
    }).toEqual({ code: 0, last: 'us' })
  })

  test('a question that is left fails the command, and starts nothing', async () => {
    const { shown, code } = await onTerminal(get('secret', 'API_KEY'), { cwd: folderWith() }, (terminal) =>
      dialogue(terminal, [[/key: $/, '\u0004']]),
    )
    expect(code).toBe(2)
    expect(bare(shown)).toContain('secret: the input key has no value: nobody has answered')
  })
})

describe('without a terminal', () => {
  test('--input gives the value, and -e goes before it', async () => {
    const cwd = folderWith()
    const given = await tenonProcess(get('secret', 'API_KEY', '--input', 'key=a=b'), { cwd })
    expect(given).toEqual({ code: 0, stdout: 'a=b\n', stderr: '' })
    const replaced = get('secret', 'API_KEY', '-e', 'API_KEY=x', '-e', 'AGAIN=y')
    expect(await tenon(replaced, { cwd })).toEqual({ code: 0, stdout: 'x\n', stderr: '' })
  })

  test.each([
    ['secret', '${input:key}', 'Give it with --input key=value, or run the command on a terminal.'],
    ['host', '${input:from-host}', 'Give it with --input from-host=value, or run the command on a terminal.'],
    ['unset', '${env:NOT_SET_ANYWHERE}', 'Set NOT_SET_ANYWHERE, or give another value with -e API_KEY=value.'],
  ])('a placeholder of %s fails the command with 2', async (server, text, hint) => {
    const outcome = await tenonProcess([...get(server, 'API_KEY'), '--json'], { cwd: folderWith() })
    expect(outcome.code).toBe(2)
    expect(parsed(outcome)).toMatchObject({
      error: { code: 'missing_input', message: expect.stringContaining(`env.API_KEY: ${text} has no value`), hint },
    })
  })

  test('chat and eval take --input too, each server those that it has', async () => {
    const cwd = folderWith()
    const rules = [
      { calls: ['secret', 'region'].map((name) => ({ name: `${name}__get`, input: `{"name":"${wanted[name]}"}` })) },
    ]
    const script = { rules: [{ after: 'secret__get', text: '{result}' }, ...rules] }
    writeFileSync(join(cwd, 'model.json'), JSON.stringify(script))
    const given = ['--model', 'scripted:model.json', '--input', 'key=${env:HOME}', '--input', 'region=us']
    const chat = ['chat', 'secret', 'region', '--once', 'go', '--yes', ...given]
    // A value is taken as it is, though it looks like a variable.
    expect(await tenon(chat, { cwd })).toMatchObject({ code: 0, stdout: '${env:HOME}\nus\n' })
    expect(await tenon([...chat, '--input', 'regin=us'], { cwd })).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/--input: no server has an input "regin"[\s\S]*Did you mean region/),
    })
    expect(await tenon(['chat', 'secret', '--once', 'go', '--model', 'scripted:model.json'], { cwd })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Give it with --input key=value'),
    })
    const cases = [
      'tenonEvals: 1',
      'servers: { secret: { config: secret }, region: { config: region } }',
      'consent: { allow: ["*"] }',
      'cases: [{ prompt: go, expect: { text: "us" } }]',
    ]
    writeFileSync(join(cwd, 'cases.yaml'), cases.join('\n'))
    expect(await tenon(['eval', 'cases.yaml', ...given], { cwd })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('1 passed'),
    })
    expect(await tenon(['eval', 'cases.yaml', ...given.slice(0, 4)], { cwd })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Give it with --input region=value'),
    })
  })

  test('no header with a placeholder is ever sent', async () => {
    const heard: unknown[] = []
    const http = createServer((request, reply) => {
      heard.push(request.headers)
      reply.writeHead(500).end()
    })
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void http.close())
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`
    const cwd = folderWith({ remote: { url, headers: { Authorization: 'Bearer ${input:key}' } } })
    expect(await tenon(['info', 'remote'], { cwd })).toMatchObject({ code: 2 })
    expect(heard).toEqual([])
    await tenon(['info', 'remote', '-H', 'authorization: Bearer mine'], { cwd })
    expect(heard[0]).toMatchObject({ authorization: 'Bearer mine' })
  })

  test.each([
    [['info', 'secret', '--input', 'kye=1'], '--input: secret has no input "kye"', 'Did you mean key?'],
    [['info', 'unset', '--input', 'key=1'], '--input: unset has no input "key"', 'It has none.'],
    [['info', '--input', 'key=1', '--', 'x'], '--input is for servers of config files', '--env'],
  ])('%j is refused', async (line, message, hint) => {
    const outcome = await tenon(line, { cwd: folderWith() })
    expect(outcome).toMatchObject({ code: 2, stderr: expect.stringContaining(message) })
    expect(outcome.stderr).toContain(hint)
  })
})
