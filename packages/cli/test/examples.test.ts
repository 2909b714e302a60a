/**
 * Runs every example of `--help` and every command line of the READMEs as a reader does: typed into a shell, with an empty
 * home, no config file, and beside the example the reader's own files that it names. Commands that go on are interrupted
 * as soon as they have printed something.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { commandNames, loadCommand } from '../src/commands.ts'
import { bin, cleanEnv, everythingUrl, type Outcome, tenonProcess } from './tenon.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))

// In the repository, because the reader's own server imports the library.
const place = mkdtempSync(join(root, 'packages/cli/.test-examples-'))
afterAll(() => rmSync(place, { recursive: true, force: true }))

const server = `import { createServer, tool } from '@tenon/sdk/server'
import { serveStdio } from '@tenon/sdk/stdio'
const note = tool({ name: 'note', run: () => 'noted' })
export default createServer({ name: 'notes', version: '1.0.0', tools: [note] })`

const files = {
  'server.js': `${server.replace('export default', 'const server =')}\nawait serveStdio(server)\n`,
  'src/server.ts': server,
  'src/main.ts': `${server.replace('export default', 'const server =')}\nawait serveStdio(server)\n`,
  'package.json': '{ "type": "module" }',
  'notes.md': 'Less is more.\n',
  'secret.txt': 'a token that nobody guesses\n',
  'tools.json': '{ "tools": [{ "name": "add", "outputSchema": { "type": "object" } }] }',
  'calls.txt': 'add a=19 b=23\n',
  'gateway.yaml': 'upstreams:\n  notes: { command: node, args: [server.js] }\n',
  'servers.json': '{ "mcpServers": { "mine": { "command": "node", "args": ["server.js"] } } }',
  'cases.yaml':
    'tenonEvals: 1\nservers: { calculator: everything }\nmodels: ["scripted:polite.json"]\ncases:\n  - { prompt: Hello, expect: { never: ["*"] } }\n',
  'polite.json': '{ "rules": [{ "text": "Good morning." }] }',
  'calls.yaml':
    'tenonCalls: 1\nservers:\n  everything: { config: everything }\ncalls:\n  - name: add a note\n    tool: add\n    arguments: { a: 19, b: 23 }\n',
}

/** Examples that need another machine, a person or a port that others may use: these tests run their like. */
const elsewhere = new Map([
  ['tenon auth login https://example.com/mcp', 'auth.test.ts'],
  ['tenon auth login https://example.com/mcp --device', 'auth.test.ts'],
  ['tenon auth logout https://example.com/mcp', 'auth.test.ts'],
  ['tenon tasks https://example.com/mcp', 'live.test.ts'],
  ['tenon tasks https://example.com/mcp result 786512e2', 'live.test.ts'],
  ['tenon dev src/main.ts --url http://127.0.0.1:3000/mcp', 'dev.test.ts'],
  // The whole walk, with the package manager: first-project.test.ts.
  ['tenon new server notes', 'first-project.test.ts'],
  ['tenon new server @me/notes --template http --yes', 'new.test.ts'],
  // Whether a server is configured depends on the examples before it.
  ['tenon gateway', 'gateway.test.ts'],
  ['tenon chat --demo', 'chat-terminal.test.ts'],
  ['tenon chat weather --model anthropic/claude-sonnet-5-5', 'chat-terminal.test.ts'],
  ['tenon eval cases.yaml --model anthropic/claude-sonnet-5-5 --runs 5', 'eval.test.ts'],
])

const goesOn =
  /^tenon (watch|expose|(?:serve|guard|mock) .*--port|inspect|dev|replay .*--port|run .*--http|gateway(?!.*--check| explain))\b/

let url = ''
beforeAll(async () => {
  url = await everythingUrl()
  for (const folder of ['bin', 'home/notes', 'home/.zfunc', 'home/.config/fish/completions', 'src', 'calls']) {
    mkdirSync(join(place, folder), { recursive: true })
  }
  for (const [path, text] of Object.entries(files)) writeFileSync(join(place, path), text)
  writeFileSync(join(place, 'bin/tenon'), `#!/bin/sh\nexec '${process.execPath}' '${bin}' "$@"\n`, { mode: 0o755 })
  for (const name of ['before.jsonl', 'after.jsonl']) {
    await typed(`tenon record everything --calls calls.yaml -o ${name}`)
  }
  await typed('tenon eval cases.yaml --json > main.json')
}, 120_000)

/** The line with an address, a port and a program that are there. */
const possible = (line: string): string =>
  line
    .replaceAll('https://example.com/mcp', url)
    .replace(/\/tmp\/\S*/g, (path) => (path.startsWith(root) ? path : `.${path.slice(4)}`))
    .replace(/--(port|http) \d+/, '--$1 0')
    .replace('npx my-server', 'node server.js')
    .replace(' examples/', ` ${root}examples/`)
    .replace(/npx tenon/g, 'tenon')

async function typed(line: string): Promise<Outcome> {
  const env = { ...cleanEnv(join(place, 'home')), PATH: `${join(place, 'bin')}:${process.env.PATH}`, TOKEN: 'x' }
  const child = spawn('bash', ['-c', goesOn.test(line) ? `exec ${line}` : `{ ${line}\n} </dev/null`], {
    cwd: place,
    env,
  })
  const outcome: Outcome = { stdout: '', stderr: '', code: null }
  const take = (stream: 'stdout' | 'stderr') => (text: string) => {
    outcome[stream] += text
    // A slow start is said as well, and is no sign that it works.
    const said = `${outcome.stdout}${outcome.stderr.replace(/^Starting .*$/gm, '')}`
    if (goesOn.test(line) && said.trim() !== '') child.kill('SIGINT')
  }
  child.stdout.setEncoding('utf8').on('data', take('stdout'))
  child.stderr.setEncoding('utf8').on('data', take('stderr'))
  const [code] = await once(child, 'close')
  return { ...outcome, code }
}

async function succeeds(line: string): Promise<void> {
  // A recording never replaces a file; the other commands read one.
  if (/\btenon record\b/.test(line)) rmSync(join(place, 'session.jsonl'), { force: true })
  else copyFileSync(join(place, 'before.jsonl'), join(place, 'session.jsonl'))
  const typedLine = possible(line)
  const { code, stdout, stderr } = await typed(typedLine)
  expect({ line, code: goesOn.test(typedLine) && code === 130 ? 0 : code, stdout, stderr }).toMatchObject({
    code: 0,
    stderr: expect.not.stringMatching(/^error/m),
  })
}

const examples = (
  await Promise.all(commandNames().map(async (name) => [...(await loadCommand(name))!.examples]))
).flatMap((found) => found.map(({ line }) => line))

test('the examples that are run elsewhere are those of the help', () => {
  expect(examples).toEqual(expect.arrayContaining([...elsewhere.keys()]))
})

test.each(examples.filter((line) => !elsewhere.has(line)))('--help: %s', { timeout: 120_000 }, succeeds)

test('the examples of tenon alone', { timeout: 120_000 }, async () => {
  const { stdout } = await tenonProcess([])
  const lines = [...stdout.slice(stdout.indexOf('Examples')).matchAll(/^ {2}(tenon .*)$/gm)].map(([, line]) => line!)
  expect(lines.length).toBe(3)
  for (const line of lines) {
    // From npm, as the repository has it installed.
    const program = join(root, 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js')
    await succeeds(line.replace('npx -y @modelcontextprotocol/server-filesystem', `node ${program}`))
  }
})

/** The command lines in the blocks of a page, without the comments after them. */
const linesOf = (page: string): string[] =>
  [...readFileSync(join(root, page), 'utf8').matchAll(/^```(?:sh|console)\n([\s\S]*?)^```$/gm)]
    .flatMap(([, body]) => body!.split('\n'))
    .map((line) => line.replace(/^\$ /, '').replace(/\s+#.*$/, ''))
    .filter((line) => line.startsWith('npx tenon '))

test.each(
  ['README.md', 'packages/cli/README.md'].flatMap((page) =>
    linesOf(page).map((line): [string, string] => [page, line]),
  ),
)('%s: %s', { timeout: 120_000 }, async (_page, line) => {
  if (line.startsWith('npx tenon new ') || elsewhere.has(line.replace(/^npx /, ''))) return
  await succeeds(line)
})
