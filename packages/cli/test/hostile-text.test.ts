/**
 * Every command on a terminal, with a server, files and answers each of whose strings tries to command the terminal. A new
 * command fails here until it has a case.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { modelName } from '@tenon/host'
import { connect } from '@tenon/sdk/client'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { commandNames } from '../src/commands.ts'
import { bare, dialogue, type Shown } from './dialogue.ts'
import { answer, evil, prompt, tool, uri } from './fixtures/hostile-text.mjs'
import { programOnTerminal, temporaryFolder } from './tenon.ts'

const fixture = (name: string): string => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url))
const hostile = ['--', process.execPath, fixture('hostile-server.mjs')]
const crashing = [...hostile, 'crash']

/** The hostile server at an address, with pages for everything that can be refused over HTTP. */
const http = createServer(async (request, reply) => {
  let body = ''
  for await (const chunk of request) body += chunk
  const { pathname } = new URL(request.url!, url)
  const json = (value: unknown, status = 200): void =>
    void reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
  if (pathname === '/mcp' && request.method === 'POST') {
    const message = JSON.parse(body)
    if (message.id === undefined) return void reply.writeHead(202).end()
    return json({
      jsonrpc: '2.0',
      id: message.id,
      ...(await answer(
        message,
        () => {},
        async () => {},
      )),
    })
  }
  if (pathname === '/locked') {
    const challenge = `Bearer error="invalid_token", error_description="\u009b31m", resource_metadata="${url}/resource"`
    return void reply.writeHead(401, { 'www-authenticate': challenge }).end(evil('locked'))
  }
  if (pathname === '/resource') {
    const about = { resource: `${url}/locked`, authorization_servers: [url], resource_name: evil('name') }
    return json({ ...about, scopes_supported: ['read'] })
  }
  if (pathname.startsWith('/.well-known/oauth-authorization-server')) {
    return json({
      issuer: url,
      authorization_endpoint: `${url}/authorize?${evil('page')}`,
      token_endpoint: `${url}/token`,
      registration_endpoint: `${url}/register`,
      device_authorization_endpoint: `${url}/device`,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      grant_types_supported: ['authorization_code', 'urn:ietf:params:oauth:grant-type:device_code'],
    })
  }
  if (pathname === '/device') {
    const page = `https://example.com/${evil('device')}`
    const codes = { device_code: 'd', user_code: evil('CODE'), verification_uri: page, verification_uri_complete: page }
    return json({ ...codes, expires_in: 60, interval: 1 })
  }
  if (/^\/(?:token|register)$/.test(pathname))
    return json({ error: 'access_denied', error_description: evil('denied'), error_uri: evil('uri') }, 400)
  reply.writeHead(500, { 'content-type': 'text/plain', 'x-evil': '\u009b31m' }).end(evil('body'))
})
let url: string

beforeAll(async () => {
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
})
afterAll(() => void http.close())

interface Case {
  lines: string[][]
  /** The typed answer to each shown text; a command that runs on ends by Ctrl-C. */
  typed?: (readonly [string | RegExp, string])[]
  /** Everything that happens at the terminal, where typing is not enough. */
  talk?(terminal: Shown): Promise<void>
}

const client = { name: 'c', version: '1' }
const request = (method: string, params: object): string => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })

/** Uses the server whose address is shown, as a client with a hostile name. */
async function use(terminal: Shown): Promise<void> {
  const at = await vi.waitFor(() => /http:\S+\/mcp/.exec(bare(terminal.shown()))![0], { timeout: 100_000 })
  await using client = await connect(at, {
    info: { name: evil('client'), version: evil('1') },
    revisions: ['2025-06-18'],
  })
  for (const name of [tool, 'fail', 'refuse', evil('unknown')]) await client.callTool(name, { n: 1 }).catch(() => {})
}

const end = ['--- exit code', ''] as const
const interrupt = '\u0003'
const record = ['record', '--calls', 'calls.json', '--force', '-o', 'session.jsonl', ...hostile]

const cases: { [command: string]: () => Case } = {
  info: () => ({
    lines: [
      ['info', ...hostile],
      ['info', '--json', ...hostile],
      ['info', '-v', ...hostile],
      ['info', ...crashing],
      ['info', `${url}/mcp`],
      ['info', `${url}/error`],
      ['info', `${url}/locked`, '-H', 'Authorization: Bearer wrong'],
      ['info', evil('config')],
      ['info', evil('confi')],
      ['info', '-c', 'broken.json', 'x'],
      ['info', evil('asking')],
      ['info', evil('asking'), '--input', `${evil('unknown')}=1`],
      ['info', evil('unknown'), '--', evil('no-such-program')],
      [evil('inf')],
      ['info', `--${evil('option')}`],
    ],
    typed: [
      [/needs an input[\s\S]*\]: $/, '\r'],
      [/Keep it.* $/, '\r'],
      [/needs an input[\s\S]*: $/, '9\r'],
      [/Choose from the list[\s\S]*: $/, '1\r'],
      [/Keep it.* $/, '\r'],
    ],
  }),
  list: () => ({
    lines: [
      ['list', ...hostile],
      ['list', '--json', ...hostile],
      ['list', '--schema', ...hostile],
      ['list', '--all', '-t', '5s'],
      ['list', '--tool', tool, ...hostile],
      ['list', '--tool', 'toll', ...hostile],
      ['list', evil('tols'), ...hostile],
    ],
  }),
  call: () => ({
    lines: [
      ...['ask', 'visit', 'write'].map((name) => ['call', name, ...hostile]),
      ['call', tool, ...hostile],
      ['call', tool, '--json', ...hostile],
      ...['text', 'structured', 'json', 'raw'].map((form) => ['call', tool, '--output', form, ...hostile]),
      ['call', tool, evil('e'), 'f', evil('too many'), ...hostile],
      ['call', 'demand', ...hostile],
      ['call', tool, '-v', '--log-level', 'debug', ...hostile],
      ['call', tool, `${evil('argument')}=x`, ...hostile],
      ['call', tool, 'argumen=x', ...hostile],
      ['call', tool, 'n=x', ...hostile],
      ...['fail', 'refuse', 'die', 'talk', 'unknown'].map((name) => ['call', name, ...hostile]),
      ...['fail', 'refuse', 'die'].map((name) => ['call', name, '--json', '-v', ...hostile]),
      ['call', 'ask', '--elicit', '{}', ...hostile],
      ['call', 'ask', '--elicit', '{"message":"other"}', ...hostile],
      ['call', 'ask', '--elicit', evil('file'), ...hostile],
    ],
    typed: [
      [/asks[\s\S]*\]: $/, '\t\t9\r'],
      [/Choose from the list[\s\S]*\]: $/, '1\r'],
      [/Send this\?.* $/, '\r'],
      [/Open it in the browser\?.* $/, 'n\r'],
      [/wants a model[\s\S]*> $/, ':use x\r'],
      [/There is no tool[\s\S]*> $/, ':decline\r'],
      [/demand needs an argument[\s\S]*: $/, '1\r'],
      [/expected[\s\S]*: $/, '\u0004'],
    ],
  }),
  read: () => ({
    lines: [
      ['read', uri, ...hostile],
      ['read', uri, '--json', ...hostile],
      ['read', `${uri}x`, ...hostile],
      ['read', uri, '-o', 'saved/', ...hostile],
      ['read', `evil:///{${evil('variable')}}`, 'x=1', ...hostile],
      ['read', uri, evil('more'), ...hostile],
    ],
  }),
  prompt: () => ({
    lines: [
      ['prompt', prompt, ...hostile],
      ['prompt', prompt, '--json', ...hostile],
      ['prompt', prompt, 'bad=1', ...hostile],
      ['prompt', prompt, `${evil('argumen')}=1`, ...hostile],
      ['prompt', 'needs', ...hostile],
      ['prompt', 'promp', ...hostile],
    ],
  }),
  complete: () => ({
    lines: [
      ['complete', prompt, `${evil('argument')}=`, ...hostile],
      ['complete', prompt, `${evil('argument')}=`, '--json', ...hostile],
    ],
  }),
  watch: () => ({
    lines: [
      ['watch', uri, '-n', '3', ...hostile],
      ['watch', uri, '-n', '3', '--read', ...hostile],
      ['watch', uri, '-n', '3', '--json', ...hostile],
      ['watch', `${uri}x`, '-n', '1', '--read', ...hostile],
    ],
  }),
  tasks: () => ({
    lines: [
      ['tasks', ...hostile],
      ['tasks', '--json', ...hostile],
      ['tasks', 'get', evil('task'), ...hostile],
      ['tasks', 'result', evil('task'), ...hostile],
      ['tasks', evil('action'), ...hostile],
    ],
  }),
  servers: () => ({ lines: [['servers'], ['servers', '--json'], ['servers', '-c', 'broken.json']] }),
  repl: () => ({
    lines: [['repl', ...hostile]],
    typed: [
      [/Connected to[\s\S]*> $/, 'tool\t\t\u0015list\r'],
      [/prompts[\s\S]*> $/, 'log debug\r'],
      [/logged[\s\S]*> $/, 'watch evil:///x\r'],
      ['has changed', ''],
      [/have changed[\s\S]*> $/, 'prompt promp\r'],
      [/hint[\s\S]*> $/, 'call nope\r'],
      [/hint[\s\S]*> $/, 'die\r'],
      [/connection ended[\s\S]*> $/, '\u0004'],
    ],
  }),
  chat: () => ({
    lines: [
      ['chat', '--model', 'scripted:evil.json', '--once', evil('question'), ...hostile],
      ['chat', '--model', 'scripted:evil.json', '--once', 'x', '--json', '--yes', '--elicit', 'decline', ...hostile],
      ['chat', '--model', evil('model'), '--once', 'x', ...hostile],
      ['chat', evil('confi'), '--model', 'scripted:evil.json', '--once', 'x'],
      ['chat', '--model', 'scripted:evil.json', '--once', 'x', ...crashing],
      ['chat', '--demo', `--resume=${evil('id')}`, '--once', 'x'],
      ['chat', '--export', evil('file')],
      ['chat', '--model', 'scripted:evil.json', '--deny', '*', '-v', ...hostile],
    ],
    typed: [
      [/Allow it\?.* $/, 'e\r'],
      [/arguments: .*$/, '\u0015{"n":1}\r'],
      [/Allow it\?.* $/, 'y\r'],
      [/Allow it\?.* $/, 'a\r'],
      [/Allow it\?.* $/, 'a\r'],
      [/asks[\s\S]*\]: $/, '1\r'],
      [/Send this\?.* $/, '\r'],
      [/Allow it\?.* $/, 'a\r'],
      [/Open it in the browser\?.* $/, 'n\r'],
      [/Allow it\?.* $/, 'a\r'],
      [/wants an answer of the model[\s\S]*Allow it\?.* $/, 'n\r'],
      ...Array<typeof end>(7).fill(end),
      [/you> $/, '/hostile\t\t\u0015/tools\r'],
      [/There are none[\s\S]*you> $/, '/prompts\r'],
      [/server\.needs[\s\S]*you> $/, '/resources\r'],
      [/@hostile-server:evil[\s\S]*you> $/, '/servers\r'],
      [/ready[\s\S]*you> $/, '@hostile-server:\t\t\u0015hello\r'],
      [/heading[\s\S]*you> $/, '/hostile-server.needs\r'],
      [/argument.*: $/, '\t\tx\r'],
      [/denies it[\s\S]*you> $/, '/cost\r'],
      [/steps?[\s\S]*you> $/, '/exit\r'],
    ],
  }),
  ping: () => ({
    lines: [
      ['ping', ...hostile],
      ['ping', evil('config')],
      ['ping', '--', 'sh', '-c', 'exit 3', evil('x')],
    ],
  }),
  inspect: () => ({
    lines: [
      ['inspect', '--no-open', '--fresh', ...hostile],
      ['inspect', evil('confi')],
    ],
    typed: [['press Enter', interrupt]],
  }),
  new: () => ({
    lines: [
      ['new', evil('kind')],
      ['new', 'server', evil('folder'), '--no-install', '--yes'],
    ],
  }),
  dev: () => ({
    lines: [
      ['dev', fixture('hostile-server.mjs'), '--port', '0'],
      ['dev', fixture('hostile-server.mjs'), '--port', '0', '--', 'crash'],
      ['dev', evil('missing')],
    ],
    talk: async (terminal) => {
      await dialogue(terminal, [
        ['q quit', 'v'],
        ['in full', ''],
      ])
      await use(terminal)
      await dialogue(terminal, [[/structuredContent[\s\S]*refused/, 'q'], end, ['Waiting for a change', 'q']])
    },
  }),
  types: () => ({
    lines: [
      ['types', ...hostile],
      ['types', '--json', ...hostile],
      ['types', '-o', evil('out'), ...hostile],
    ],
  }),
  record: () => ({
    lines: [record, ['record', '-o', 'typed.jsonl', ...hostile], ['record', '-o', evil('file'), ...hostile]],
    typed: [
      [/Everything is recorded[\s\S]*> $/, 'call fail\r'],
      [/returned an error[\s\S]*> $/, '\u0004'],
    ],
  }),
  replay: () => ({
    lines: [record, ['replay', 'session.jsonl'], ['replay', 'bad.jsonl'], ['replay', evil('missing')]],
    talk: async (terminal) => {
      await use(terminal)
      terminal.type(interrupt)
    },
  }),
  diff: () => ({
    lines: [
      record,
      ['record', '--calls', 'other.json', '-o', 'other.jsonl', ...hostile],
      ['diff', 'session.jsonl', 'other.jsonl', '--times'],
      ['diff', 'other.jsonl', 'session.jsonl', '--json'],
    ],
  }),
  lint: () => ({
    lines: [
      ['lint', '--level', 'note', ...hostile],
      ['lint', '--format', 'markdown', ...hostile],
      ['lint', '--json', ...hostile],
      ['lint', ...crashing],
      ['lint', '--ignore', evil('rule'), ...hostile],
      ['lint', '--since', evil('file'), ...hostile],
    ],
  }),
  test: () => ({
    lines: [
      ['test', 'calls.json', ...hostile],
      ['test', 'calls.json', '--tap', ...hostile],
      ['test', 'calls.json', '--json', ...hostile],
      ['test', 'calls.json', 'other.json', ...crashing],
      ['test', 'broken.json'],
    ],
  }),
  eval: () => ({
    lines: [
      ['eval', 'cases.json', ...hostile],
      ['eval', 'cases.json', '--json', ...hostile],
      ['eval', 'cases.json', ...crashing],
      ['eval', 'cases.json', '--filter', evil('none'), ...hostile],
      ['eval', 'cases.json', '--model', evil('model'), ...hostile],
      ['eval', 'cases.json', '--compare', 'broken.json', ...hostile],
      ['eval', 'broken.json'],
      ['eval', evil('file')],
    ],
  }),
  connect: () => ({
    lines: [
      ['connect', ...hostile],
      ['connect', evil('confi')],
    ],
    typed: [
      ['', `${request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: client })}\n`],
      ['serverInfo', `${request('tools/list', {})}\n`],
      ['inputSchema', '\u0004'],
    ],
  }),
  expose: () => ({
    lines: [['expose', ...hostile]],
    talk: async (terminal) => {
      await use(terminal)
      await dialogue(terminal, [['Connected to', interrupt]])
    },
  }),
  doctor: () => ({
    lines: [
      ['doctor', ...hostile],
      ['doctor', '--json', ...hostile],
      ['doctor', ...crashing],
      ['doctor', `${url}/locked`, '-H', 'Authorization: Bearer wrong'],
      ['doctor', '--', evil('no-such-program')],
    ],
  }),
  serve: () => ({
    lines: [
      ['serve', `x=${url}/mcp`],
      ['serve', evil('other')],
      ['serve', evil('unknown')],
    ],
    talk: async (terminal) => {
      await use(terminal)
      await dialogue(terminal, [['Connected to', interrupt]])
    },
  }),
  gateway: () => ({
    lines: [
      ['gateway', 'gateway.yaml'],
      ['gateway', 'gateway.yaml', '--check', '--json'],
      ['gateway', 'broken.json', '--check'],
      ['gateway', evil('missing')],
    ],
    talk: async (terminal) => {
      await use(terminal)
      await dialogue(terminal, [['Ctrl-C ends it', interrupt]])
    },
  }),
  guard: () => ({
    lines: [
      ['guard', '--deny', evil('x'), ...hostile],
      ['guard', '--deny', 'x', evil('confi')],
    ],
    talk: async (terminal) => {
      await use(terminal)
      await dialogue(terminal, [['Connected to', interrupt]])
    },
  }),
  mock: () => ({
    lines: [record, ['mock', 'session.jsonl'], ['mock', 'broken.json'], ['mock', evil('missing')]],
    talk: async (terminal) => {
      await use(terminal)
      terminal.type(interrupt)
    },
  }),
  load: () => ({
    lines: [
      ['load', tool, 'n=1', '-n', '3', ...hostile],
      ['load', 'fail', '-n', '3', ...hostile],
      ['load', 'refuse', '-n', '3', '--json', ...hostile],
      ['load', evil('unknown'), ...hostile],
    ],
  }),
  generate: () => ({
    lines: [
      ['generate', 'cli', ...hostile],
      ['generate', 'cli', '--json', ...hostile],
      ['generate', 'cli', '-o', evil('out'), ...hostile],
      ['generate', evil('what')],
    ],
  }),
  auth: () => ({
    lines: [
      ['auth', 'login', `${url}/locked`],
      ['auth', 'login', `${url}/locked`, '--client-id', 'x', '--device'],
      ['auth', 'login', `${url}/locked`, '--client-id', 'x', '--no-browser'],
      ['auth', evil('action')],
      ['auth', 'login', evil('config')],
      ['auth', 'status', '--json'],
    ],
    typed: [end, end, ['Log in at', interrupt]],
  }),
  up: () => ({ lines: [['up', evil('unknown')], ['up', evil('config')], ['up']] }),
  down: () => ({ lines: [['down', evil('unknown')]] }),
  add: () => ({
    lines: [
      ['add', evil('name'), '--dry-run', '--', 'x'],
      ['add', 'a', '--dry-run', '-e', `A=${evil('value')}`, '--', evil('program')],
      ['add', 'a', '--to', evil('host'), '--', 'x'],
      ['add', 'a', '--config', 'broken.json', '--yes', '--', 'x'],
      ['add', `{ ${evil('pasted')}`],
      ['add', 'b', '--scope', 'project', '--yes', '--', evil('program')],
    ],
  }),
  ...Object.fromEntries(
    ['enable', 'disable', 'remove', 'uninstall'].map((name) => [
      name,
      (): Case => ({
        lines: [
          [name, evil('unknown'), '--from', 'cursor'],
          [name, evil('config'), '--from', 'claude-code', '--dry-run'],
          [name, evil('config'), '--from', evil('host')],
        ],
      }),
    ]),
  ),
  install: () => ({
    lines: [
      ['install', evil('config'), '--to', 'cursor,codex,goose', '--dry-run'],
      ['install', evil('asking'), '--to', 'zed,vscode', '--yes'],
      ['install', evil('unknown'), '--to', evil('host')],
    ],
  }),
  link: () => ({
    lines: [
      ['link', evil('config')],
      ['link', evil('config'), '--markdown'],
      ['link', evil('unknown')],
    ],
  }),
  export: () => ({
    lines: [
      ['export', evil('config'), '--as', 'codex'],
      ['export', evil('asking'), '--json'],
      ['export', 'bad.jsonl'],
    ],
  }),
  skill: () => ({
    lines: [['skill'], ['skill', '--json'], ['skill', `--${evil('option')}`], ['help', evil('x'), '--json']],
  }),
  completion: () => ({ lines: [['completion', evil('shell')]] }),
  run: () => ({
    lines: [
      ['run', evil('server')],
      ['run', evil('server'), '--json'],
    ],
  }),
}

test('every command has a case', () => {
  expect(Object.keys(cases).sort()).toEqual(commandNames().sort())
})

/** A folder with config files, saved calls and sessions whose every string is hostile too. */
function hostileFolder(lines: string[][]): string {
  const cwd = temporaryFolder()
  const write = (file: string, value: unknown): void => writeFileSync(join(cwd, file), JSON.stringify(value))
  const [, command, ...args] = hostile
  write('lines.json', lines)
  write('gateway.yaml', {
    upstreams: { x: { url: `${url}/mcp` }, y: { url: `${url}/error` } },
    servers: { s: { title: evil('title') } },
  })
  write('.mcp.json', {
    mcpServers: {
      [evil('config')]: { command, args, env: { X: `\${${evil('VARIABLE')}}` }, [evil('member')]: evil('value') },
      [evil('other')]: { url: evil('url'), headers: { [evil('header')]: evil('value') } },
    },
  })
  mkdirSync(join(cwd, '.vscode'))
  write('.vscode/mcp.json', {
    inputs: [
      { id: 'id', type: 'promptString', description: `${evil('input')}\n${evil('two')}`, default: evil('fallback') },
      { id: evil('pick'), type: 'pickString', options: [evil('a'), evil('b')] },
    ],
    servers: {
      [evil('asking')]: { command, args, env: { X: `\${input:id}`, Y: `\${input:${evil('pick')}}` } },
    },
  })
  writeFileSync(join(cwd, 'broken.json'), `{ "mcpServers": ${evil('not JSON')}`)
  writeFileSync(join(cwd, 'bad.jsonl'), `{"${evil('x')}": 1}\n`)
  const saved = (word: string): object => ({
    tenonCalls: 1,
    calls: [
      {
        name: evil(word),
        tool,
        arguments: { n: 1 },
        expect: { text: evil('other'), structured: { [evil('key')]: word } },
      },
      { name: evil('failing'), tool: word === 'saved' ? 'fail' : 'refuse' },
      { list: 'tools' },
      { prompt, arguments: {} },
    ],
  })
  const calls = [tool, 'fail', 'ask', 'visit', 'write'].map((name) => ({
    name: modelName('hostile-server', name),
    arguments: { [evil('argument')]: evil('value') },
  }))
  const answer = `# ${evil('heading')}\n**${evil('bold')}** [${evil('link')}](https://x/${evil('to')})\n\`\`\`\n${evil('code')}`
  write('evil.json', { rules: [{ step: 1, text: evil('thinking'), calls }, { text: answer }] })
  write('calls.json', saved('saved'))
  write('other.json', saved('other'))
  const reply = {
    text: evil('thinking'),
    calls: [{ name: 'server__fail' }, { name: evil('call'), arguments: { x: evil('x') } }],
  }
  write('model.json', { replies: [reply, { text: evil('said') }] })
  write('cases.json', {
    tenonEvals: 1,
    models: ['scripted:model.json'],
    consent: { allow: ['*.*'] },
    cases: [
      { name: evil('case'), prompt: evil('ask'), expect: { calls: [evil('tool')], never: ['*'], text: evil('other') } },
      { name: evil('skipped'), prompt: evil('ask'), skip: evil('reason') },
    ],
  })
  return cwd
}

// The sequences that this program writes itself: colours, the line of the activity, and the line that somebody edits.
const sequences = [
  String.raw`\[(?:[12]|22|3[1-6]|39)m`,
  String.raw`\[\?2004[hl]`,
  String.raw`\[\d*[GACD]`,
  String.raw`\[0?[JK]`,
]
const own = new RegExp(`\r\u001b\\[2K|\u001b(?:${sequences.join('|')})|\t`, 'g')

/** The lines with a character that is neither text nor written by this program. */
const linesWithCommands = (shown: string): string[] =>
  shown
    .replace(own, '')
    .split(/\r*\n/)
    .filter((line) => /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(line))

test.each(commandNames())('%s shows hostile text instead of obeying it', { timeout: 120_000 }, async (name) => {
  const { lines, typed = [], talk = (terminal) => dialogue(terminal, typed) } = cases[name]!()
  const cwd = hostileFolder(lines)
  const program = [process.execPath, fixture('run-lines.mjs'), 'lines.json']
  const { shown, code } = await programOnTerminal(program, { cwd }, talk)
  expect(code).toBe(0)
  expect(shown.match(/--- exit code/g), shown).toHaveLength(lines.length)
  expect(shown).toContain('PWN')
  expect(linesWithCommands(shown)).toEqual([])
  // Nor are colours of this program shown as text, which they are when a string is made of them on the way.
  expect(shown).not.toMatch(/\u241b\[(?:[12]|22|3[1-6]|39)m/)
})
